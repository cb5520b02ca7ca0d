#include "session/pictures/plot_show.h"

#include "view/gnuplot/gnuplot.h"
#include "view/gnuplot/picture_image.h"

#include <string.h>

const char *const plot_terminal_names[] = {"auto", "text", "window", "kitty", "sixel", NULL};

typedef struct Way {
    bool text;  /* as text, too */
    bool image; /* what: */
    HostImage kind;
    bool wanted; /* it is an error when it cannot be had */
} Way;

/* Of each of these names. */
static const Way ways[] = {{true, true, IMAGE_WINDOW, false},
                           {true, false, IMAGE_WINDOW, false},
                           {true, true, IMAGE_WINDOW, true},
                           {false, true, IMAGE_KITTY, true},
                           {false, true, IMAGE_SIXEL, true}};

static const Way *way_of(const char *terminal) {
    size_t i = 0;
    while (strcmp(plot_terminal_names[i], terminal) != 0) i++;
    return &ways[i];
}

static bool has_gnuplot(HostImage kind, Error *err) {
    if (!gnuplot_is_installed()) {
        error_set(err, ERR_PLOT, "gnuplot, which draws images, is not installed");
        return error_hint(err, "as text they need no other program: set terminal text");
    }
    return kind != IMAGE_WINDOW || gnuplot_window_terminal(err) != NULL;
}

static bool can_show(Session *session, HostImage kind, Error *err) {
    if (session->interp.safe)
        return error_set(err, ERR_PLOT,
                         "with --safe no other program is started: pictures are text");
    return host_can_show(session->interp.host, kind, err) && has_gnuplot(kind, err);
}

bool plot_terminal_works(Session *session, const char *terminal, Error *err) {
    const Way *way = way_of(terminal);
    bool asked = session->interp.safe || session->interp.host->interactive;
    return !way->wanted || !asked || can_show(session, way->kind, err);
}

/* ---- showing ---- */

static bool show_image(Session *session, const Picture *picture, HostImage kind, Error *err) {
    if (kind == IMAGE_WINDOW) return picture_window(picture, err);
    Host *host = session->interp.host;
    Text bytes;
    text_init(&bytes);
    bool ok = picture_image(&bytes, picture, kind, host, err) &&
              host_picture(host, picture_image_format(kind), &bytes, picture->title, err);
    text_release(&bytes);
    return ok;
}

static bool unless_interrupted(const Error *why, Error *err) {
    if (why->kind == ERR_INTERRUPT) *err = *why;
    return why->kind != ERR_INTERRUPT;
}

/* What was not asked for is no error when it cannot be had, and is not tried again: each time could
 * cost seconds. */
static bool offer_window(Session *session, const Picture *picture, Error *err) {
    Error why = {.kind = ERR_NONE};
    if (session->no_window) return true;
    bool can = can_show(session, IMAGE_WINDOW, &why);
    if (can && picture_window(picture, &why)) return true;
    if (!unless_interrupted(&why, err)) return false;
    session->no_window = true;
    if (can) host_note(session->interp.host, "(no window: %s)\n", why.message);
    return true;
}

/* A line of the person's own init file may have asked for what this terminal cannot. */
static bool show_text_instead(Session *session, const Picture *picture, ShowText *show_text,
                              const Error *why, Error *err) {
    if (!unless_interrupted(why, err)) return false;
    if (!session->noted_text) host_note(session->interp.host, "(as text: %s)\n", why->message);
    session->noted_text = true;
    return show_text(session, picture, err);
}

bool plot_show(Session *session, const Picture *picture, ShowText *show_text, Error *err) {
    const Way *way = way_of(session->bench.settings.terminal);
    Error why = {.kind = ERR_NONE};
    if (!session->interp.host->interactive || !way->image) return show_text(session, picture, err);
    if (way->wanted && !way->text && !can_show(session, way->kind, &why))
        return show_text_instead(session, picture, show_text, &why, err);
    if (way->text && !show_text(session, picture, err)) return false;
    if (!way->wanted) return offer_window(session, picture, err);
    return (!way->text || can_show(session, way->kind, err)) &&
           show_image(session, picture, way->kind, err);
}
