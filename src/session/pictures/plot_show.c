#include "session/pictures/plot_show.h"

#include "base/interrupt.h"
#include "io/file.h"
#include "view/gnuplot/gnuplot.h"
#include "view/gnuplot/picture_fonts.h"
#include "view/gnuplot/picture_image.h"
#include "view/picture_words.h"

#include <stdio.h>
#include <string.h>

static bool save_picture(Session *session, const Picture *picture, const char *path, bool forced,
                         Error *err) {
    if (session->interp.rehearses) return true;
    if (session->interp.safe)
        return error_set(err, ERR_FILE, "%s is not written: with --safe, nothing is", path);
    Text joined = TEXT_EMPTY;
    path_join(&joined, session->plots ? session->plots : session->interp.directory, path);
    char remedy[sizeof err->hint];
    snprintf(remedy, sizeof remedy, "plot ... to \"%s\" --force replaces it", path);
    bool ok = text_ok(&joined, err) &&
              session_may_write(session, joined.data, forced, remedy, err) &&
              picture_save(picture, joined.data, err);
    text_release(&joined);
    if (ok && picture_fonts_unknown() && interp_first_in_session(&session->interp, "fonts"))
        host_note(session->interp.host, "(fontconfig's fc-list is not installed: whether a font "
                                        "has each letter of the picture is not known)\n");
    return ok;
}

/* With --plots every picture goes to a file there. */
static bool save_numbered(Session *session, const Picture *picture, Error *err) {
    char name[40];
    snprintf(name, sizeof name, "plot-%d.png", ++session->picture_count);
    if (!save_picture(session, picture, name, true, err)) return false;
    host_note(session->interp.host, "(%s/%s)\n", session->plots, name);
    return true;
}

/* Gives the picture to a host that keeps pictures, with its words: as text where that is wanted, or
 * where gnuplot cannot draw it. */
static bool keep_picture(Session *session, const Picture *picture, bool as_text, Error *err) {
    Host *host = session->interp.host;
    Error why = {.kind = ERR_NONE};
    Text bytes = TEXT_EMPTY, words = TEXT_EMPTY;
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
    ok = ok && text_ok(&words, err) &&
         host_picture(host, drawn ? picture_image_format(image) : "text", &bytes, words.data, err);
    text_release(&bytes);
    text_release(&words);
    return ok;
}

/* Shows the picture in characters, within `rows` where it can: in colours where the host has them
 * and text was not asked for. A pager may show one that is higher than the screen. */
static bool show_text(Session *session, const Picture *picture, int rows, bool as_text,
                      Error *err) {
    Host *host = session->interp.host;
    Text text = TEXT_EMPTY;
    if (as_text) picture_text(&text, picture, host->columns, host->utf8);
    else picture_terminal(&text, picture, host->columns, rows, host->color, host->utf8);
    int lines = 0;
    for (size_t i = 0; i < text.length; i++) lines += text.data[i] == '\n';
    Text *copy = host->copy;
    host->copy = NULL;           /* the transcript has it in words and without colours */
    bool ok = !interrupted(err); /* a picture that was cut short is not shown */
    if (!ok) text_release(&text);
    else if (lines < host->rows) ok = host_write_text(host, &text, err);
    else ok = host_page_text(host, &text, err);
    host->copy = copy;
    return ok;
}

/* Writes the picture into the transcript. */
static bool write_down(Session *session, const Picture *picture, Error *err) {
    if (!session->interp.host->copy) return true;
    Text text = TEXT_EMPTY, words = TEXT_EMPTY;
    picture_text(&text, picture, session->interp.host->columns, true);
    picture_words(&words, picture, session->bench.settings.language);
    bool ok = !interrupted(err) && text_ok(&text, err) && text_ok(&words, err);
    if (ok) transcript_add_picture(&session->transcript, words.data, &text);
    text_release(&text);
    text_release(&words);
    return ok;
}

const char *const plot_terminal_names[] = {"auto", "text", "window", "kitty", "sixel", NULL};

/* What each of these names asks for. */
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
    while (strcmp(plot_terminal_names[i], name) != 0) i++;
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
    Text bytes = TEXT_EMPTY;
    bool ok = picture_image(&bytes, picture, kind, host, err) &&
              host_picture(host, picture_image_format(kind), &bytes, picture->title, err);
    text_release(&bytes);
    return ok;
}

/* Shows the picture as the setting terminal says, or as text where nobody reads. */
static bool show_picture(Session *session, const Picture *picture, Error *err) {
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

bool drawing_deliver(Session *session, Drawing *drawing, const char *path, bool forced,
                     bool as_text, Error *err) {
    const Picture *picture = &drawing->picture;
    drawing->picture.title = drawing->title.data;
    if (!text_ok(&drawing->title, err)) return false;
    if (path) {
        if (!save_picture(session, picture, path, forced, err)) return false;
        if (session->interp.host->interactive)
            host_note(session->interp.host, "(wrote %s)\n", path);
        return true;
    }
    if (session->plots) return save_numbered(session, picture, err);
    if (session->interp.host->pictures) return keep_picture(session, picture, as_text, err);
    if (!write_down(session, picture, err)) return false;
    if (as_text) return show_text(session, picture, session->interp.host->rows, true, err);
    return show_picture(session, picture, err);
}

bool drawing_write(Session *session, Drawing *drawing, int rows, Error *err) {
    drawing->picture.title = drawing->title.data;
    if (!text_ok(&drawing->title, err)) return false;
    if (session->plots && !session->interp.safe)
        return save_numbered(session, &drawing->picture, err);
    if (session->interp.host->pictures) return keep_picture(session, &drawing->picture, false, err);
    return write_down(session, &drawing->picture, err) &&
           show_text(session, &drawing->picture, rows, false, err);
}
