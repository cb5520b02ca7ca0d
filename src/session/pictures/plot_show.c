/* Saves a picture in a file, or shows it, as text or as an image. */
#include "session/pictures/plot_request.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "io/file.h"
#include "view/files/gnuplot.h"
#include "view/files/picture_fonts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- in files ---- */

/* With --plots this file of the folder lists what scripts have drawn there, a line "NAME\tSCRIPT"
 * for each picture, so that none replaces another's. */
static const char list_name[] = ".attn-pictures";

typedef enum Maker { MAKER_UNKNOWN, MAKER_THIS, MAKER_OTHER } Maker;

/* The script that made the picture `name` at `path`: its last line in the list says. */
static Maker maker_of(const Session *session, const char *name, const char *path) {
    LocalText file = TEXT_EMPTY, list = TEXT_EMPTY, key = TEXT_EMPTY, own = TEXT_EMPTY;
    const char *line = NULL;
    path_join(&file, session->plots, list_name);
    text_char(&list, '\n');
    text_format(&key, "\n%s\t", name);
    text_format(&own, "%s%s\n", key.data, session->script ? session->script : "");
    if (access(path, F_OK) == 0) file_read(file.data, 0, &list, NULL);
    for (const char *at = list.data; (at = strstr(at, key.data)) != NULL; at++) line = at;
    bool same = line && session->script && strncmp(line, own.data, own.length) == 0;
    return same ? MAKER_THIS : line ? MAKER_OTHER : MAKER_UNKNOWN;
}

static bool list_picture(const Session *session, const char *name, Error *err) {
    LocalText file = TEXT_EMPTY, list = TEXT_EMPTY;
    path_join(&file, session->plots, list_name);
    file_read(file.data, 0, &list, NULL); /* there may be none yet */
    text_format(&list, "%s\t%s\n", name, session->script ? session->script : "");
    return text_ok(&file, err) && text_ok(&list, err) &&
           file_write(file.data, list.data, list.length, err);
}

/* Appends the script's name without its suffix, which the names of its pictures begin with. */
static void write_stem(Text *out, const Session *session) {
    const char *name = path_name(session->script ? session->script : "plot");
    const char *suffix = path_suffix(name);
    text_bytes(out, name, strlen(name) - strlen(suffix) - (*suffix ? 1 : 0));
}

/* The folder of the script's pictures `to new`, which the first of them makes. */
static const char *new_folder(Session *session, Error *err) {
    const char *place = getenv("TMPDIR");
    Text path = TEXT_EMPTY;
    if (session->new_folder) return session->new_folder;
    path_join(&path, place && *place ? place : "/tmp", "attn-");
    write_stem(&path, session);
    text_string(&path, "-XXXXXX");
    char *folder = text_take(&path, err);
    if (!folder || mkdtemp(folder)) return session->new_folder = folder;
    error_set(err, ERR_FILE, "cannot make the folder %s: %s", folder, strerror(errno));
    mem_free(folder);
    return NULL;
}

/* Saves the picture as `name` in a folder: that of --plots, `folder`, or that of the script. */
static bool save_in_folder(Session *session, const Picture *picture, const char *folder,
                           const char *name, bool forced, Error *err) {
    if (session->interp.rehearses) return true;
    if (session->interp.safe)
        return error_set(err, ERR_FILE, "%s is not written: with --safe, nothing is", name);
    LocalText path = TEXT_EMPTY;
    path_join(&path,
              session->plots ? session->plots
              : folder       ? folder
                             : session->interp.directory,
              name);
    char remedy[sizeof err->hint];
    snprintf(remedy, sizeof remedy, "plot ... to \"%s\" --force replaces it", name);
    Maker maker = session->plots ? maker_of(session, name, path.data) : MAKER_THIS;
    if (!text_ok(&path, err)) return false;
    if (maker == MAKER_OTHER && session->script && !forced) {
        error_set(err, ERR_FILE, "%s is kept: another script has made it", path.data);
        return error_hint(err, "give it another name, or --plots another folder; %s", remedy);
    }
    if (!session_may_write(session, path.data, forced, remedy, err) ||
        !picture_save(picture, path.data, err) ||
        (maker != MAKER_THIS && !list_picture(session, name, err)))
        return false;
    if (picture_fonts_unknown() && interp_first_in_session(&session->interp, "fonts"))
        host_note(session->interp.host, "(fontconfig's fc-list is not installed: whether a font "
                                        "has each letter of the picture is not known)\n");
    return true;
}

/* With --plots every picture is saved in a file there: masks-1.png is the first that masks.attn
 * gives no name. A number under which there is another's file is passed over. */
static bool save_numbered(Session *session, const Picture *picture, bool as_text, Error *err) {
    LocalText name = TEXT_EMPTY, path = TEXT_EMPTY;
    if (session->interp.rehearses) return true;
    do {
        text_clear(&name);
        text_clear(&path);
        write_stem(&name, session);
        text_format(&name, "-%d.%s", ++session->picture_count, as_text ? "txt" : "png");
        path_join(&path, session->plots, name.data);
    } while (access(path.data, F_OK) == 0 && maker_of(session, name.data, path.data) != MAKER_THIS);
    bool ok = text_ok(&name, err) && text_ok(&path, err) &&
              save_in_folder(session, picture, NULL, name.data, true, err);
    if (ok) host_note(session->interp.host, "(%s)\n", path.data);
    return ok;
}

/* Gives the picture to a host that keeps pictures, with its words: as text where that is wanted, or
 * where gnuplot cannot draw it. */
static bool keep_picture(Session *session, const Picture *picture, bool as_text, Error *err) {
    Host *host = session->interp.host;
    Error why = {.kind = ERR_NONE};
    LocalText bytes = TEXT_EMPTY, words = TEXT_EMPTY;
    HostImage image = host->pictures == PICTURES_AS_PNG ? IMAGE_PNG : IMAGE_SVG;
    bool drawn = !as_text && host->pictures != PICTURES_AS_TEXT && !session->interp.safe &&
                 gnuplot_is_installed() && picture_image(&bytes, picture, image, host, &why);
    bool ok = why.kind != ERR_INTERRUPT;
    if (!ok && err) *err = why;
    if (!drawn) {
        text_clear(&bytes);
        picture_text(&bytes, picture, host->columns, host->utf8);
    }
    picture_words(&words, picture, session->bench.settings.language);
    return ok && text_ok(&words, err) &&
           host_picture(host, drawn ? picture_image_format(image) : "text", &bytes, words.data,
                        err);
}

/* Shows the picture in characters, within `rows` where it can: in colours where the host has them
 * and text was not asked for. */
static bool show_text(Session *session, const Picture *picture, int rows, bool as_text,
                      Error *err) {
    Host *host = session->interp.host;
    Text text = TEXT_EMPTY;
    if (as_text) picture_text(&text, picture, host->columns, host->utf8);
    else picture_terminal(&text, picture, host->columns, rows, host->color, host->utf8);
    if (text_lines(&text) <= session->room + 2)
        session->room += 2; /* it was made for the whole screen */
    Text *copy = host->copy;
    host->copy = NULL;           /* the transcript has it in words and without colours */
    bool ok = !interrupted(err); /* a picture that was cut short is not shown */
    ok = session_write_text(session, ok, &text, err);
    host->copy = copy;
    return ok;
}

static bool transcribe_picture(Session *session, const Picture *picture, Error *err) {
    if (!session->interp.host->copy) return true;
    LocalText text = TEXT_EMPTY, words = TEXT_EMPTY;
    picture_text(&text, picture, session->interp.host->columns, true);
    picture_words(&words, picture, session->bench.settings.language);
    bool ok = !interrupted(err) && text_ok(&text, err) && text_ok(&words, err);
    if (ok) transcript_add_picture(&session->transcript, words.data, &text);
    return ok;
}

/* The way to show a picture that each of terminal_names asks for. */
typedef struct TerminalWay {
    bool text;  /* the picture as text, too */
    bool image; /* as an image of this kind: */
    HostImage kind;
    bool required; /* it is an error when the image cannot be had */
} TerminalWay;

static const TerminalWay terminal_ways[] = {{true, true, IMAGE_WINDOW, false},
                                            {true, false, IMAGE_WINDOW, false},
                                            {true, true, IMAGE_WINDOW, true},
                                            {false, true, IMAGE_KITTY, true},
                                            {false, true, IMAGE_SIXEL, true}};

static const TerminalWay *terminal_way(const char *name) {
    size_t i = 0;
    while (strcmp(terminal_names[i], name) != 0) i++;
    return &terminal_ways[i];
}

static bool can_show_image(Session *session, HostImage kind, Error *err) {
    if (session->interp.safe)
        return error_set(err, ERR_PLOT,
                         "with --safe no other program is started: pictures are text");
    if (!host_can_show(session->interp.host, kind, err)) return false;
    if (!gnuplot_is_installed()) {
        error_set(err, ERR_PLOT, "gnuplot, which draws images, is not installed");
        return error_hint(err, "as text they need no other program: set terminal text");
    }
    return kind != IMAGE_WINDOW || gnuplot_window_terminal(err) != NULL;
}

bool plot_terminal_works(Session *session, const char *terminal, Error *err) {
    const TerminalWay *way = terminal_way(terminal);
    bool matters = session->interp.safe || session->interp.host->interactive;
    return !way->required || !matters || can_show_image(session, way->kind, err);
}

static bool show_image(Session *session, const Picture *picture, HostImage kind, Error *err) {
    if (kind == IMAGE_WINDOW) return picture_window(picture, err);
    Host *host = session->interp.host;
    LocalText bytes = TEXT_EMPTY;
    return picture_image(&bytes, picture, kind, host, err) &&
           host_picture(host, picture_image_format(kind), &bytes, picture->title, err);
}

/* True if the picture would be an image of a show that continues without gnuplot, and gnuplot is
 * not there: it is then shown as text. */
static bool goes_on_as_text(Session *session, const PlotRequest *request, const char *name) {
    const PictureFormat *format = picture_format_find(name);
    if (!request->to_new || session->interp.safe || session->interp.rehearses) return false;
    if (!format || format->write || gnuplot_is_installed()) return false;
    if (!session->noted_text)
        host_note(session->interp.host, "(pictures as text: gnuplot is not installed)\n");
    return session->noted_text = true;
}

bool drawing_deliver(Session *session, Drawing *drawing, const PlotRequest *request, Error *err) {
    const Picture *picture = &drawing->picture;
    bool as_text = plot_asks(request, PLOT_TEXT);
    drawing->picture.title = drawing->title.data;
    if (!text_ok(&drawing->title, err)) return false;
    const char *name = plot_string(request, PLOT_TO), *folder = NULL;
    if (name && !goes_on_as_text(session, request, name)) {
        bool own = request->to_new && !session->plots && !session->interp.safe &&
                   !session->interp.rehearses;
        if (own && !(folder = new_folder(session, err))) return false;
        if (!save_in_folder(session, picture, folder, name, plot_asks(request, PLOT_FORCE), err))
            return false;
        if (session->interp.host->interactive)
            host_note(session->interp.host, "(wrote %s%s%s)\n", folder ? folder : "",
                      folder ? "/" : "", name);
        return true;
    }
    if (session->plots && !name) return save_numbered(session, picture, as_text, err);
    if (session->interp.host->pictures) return keep_picture(session, picture, as_text, err);
    if (!transcribe_picture(session, picture, err)) return false;
    if (session->interp.rehearses) return true;
    if (as_text) return show_text(session, picture, session->interp.host->rows, true, err);
    /* Shows the picture as the setting terminal says, or as text where nobody reads. */
    Host *host = session->interp.host;
    const TerminalWay *way = terminal_way(session->bench.settings.terminal);
    Error why = {.kind = ERR_NONE};
    bool image = host->interactive && way->image, can = false;
    /* A window that nobody asked for and that could not be opened once is not tried again: each
     * time could cost seconds. */
    if (image && !way->required) image = !session->no_window;
    if (image) can = can_show_image(session, way->kind, &why);

    /* The person's init file may ask for what this terminal cannot show: then it is text. */
    bool instead = image && way->required && !way->text && !can;
    if (instead && why.kind == ERR_INTERRUPT) {
        *err = why;
        return false;
    }
    if (instead && !session->noted_text) {
        host_note(host, "(as text: %s)\n", why.message);
        session->noted_text = true;
    }
    if ((way->text || !image || instead) && !show_text(session, picture, host->rows, false, err))
        return false;
    if (!image || instead) return true;

    bool shown = can && show_image(session, picture, way->kind, &why);
    if (shown) return true;
    if (way->required || why.kind == ERR_INTERRUPT) {
        *err = why;
        return false;
    }
    session->no_window = true;
    if (can) host_note(host, "(no window: %s)\n", why.message);
    return true;
}

bool drawing_write(Session *session, Drawing *drawing, int rows, Error *err) {
    if (!text_ok(&drawing->title, err) || !drawing_say(drawing)) return false;
    drawing->picture.title = drawing->title.data;
    if (session->plots && !session->interp.safe)
        return save_numbered(session, &drawing->picture, false, err);
    if (session->interp.host->pictures) return keep_picture(session, &drawing->picture, false, err);
    return transcribe_picture(session, &drawing->picture, err) &&
           show_text(session, &drawing->picture, rows, false, err);
}
