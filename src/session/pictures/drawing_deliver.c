/* Where a drawing goes: to a file, or before the person's eyes. */
#include "io/file.h"
#include "session/pictures/drawing.h"
#include "session/pictures/plot_show.h"

#include <stdio.h>

/* In colours where the host shows them; as text where it does not or where text was asked for.
 * Within `rows`, where it can. */
static bool show(Session *session, const Picture *picture, int rows, bool as_text, Error *err) {
    Host *host = session->interp.host;
    Text text;
    text_init(&text);
    picture_terminal(&text, picture, host->columns, rows, as_text ? COLOR_NONE : host->color,
                     host->utf8);
    return host_write_text(host, &text, err);
}

static bool show_here(Session *session, const Picture *picture, Error *err) {
    return show(session, picture, session->interp.host->rows, false, err);
}

static bool save_to(Session *session, const Picture *picture, const char *path, Error *err) {
    if (session->interp.safe)
        return error_set(err, ERR_FILE, "%s is not written: with --safe, nothing is", path);
    Text joined;
    text_init(&joined);
    path_join(&joined, session->plots ? session->plots : session->interp.directory, path);
    bool ok = text_ok(&joined, err) && picture_save(picture, joined.data, err);
    text_release(&joined);
    return ok;
}

/* With --plots every picture goes to a file there. */
static bool save_numbered(Session *session, const Picture *picture, Error *err) {
    char name[40];
    snprintf(name, sizeof name, "plot-%d.png", ++session->picture_count);
    if (!save_to(session, picture, name, err)) return false;
    host_note(session->interp.host, "(%s/%s)\n", session->plots, name);
    return true;
}

static bool give_title(Drawing *drawing, Error *err) {
    drawing->picture.title = drawing->title.data;
    return text_ok(&drawing->title, err);
}

bool drawing_deliver(Session *session, Drawing *drawing, const char *path, bool as_text,
                     Error *err) {
    const Picture *picture = &drawing->picture;
    if (!give_title(drawing, err)) return false;
    if (path) return save_to(session, picture, path, err);
    if (session->plots) return save_numbered(session, picture, err);
    return as_text ? show(session, picture, session->interp.host->rows, true, err)
                   : plot_show(session, picture, show_here, err);
}

bool drawing_write(Session *session, Drawing *drawing, int rows, Error *err) {
    if (!give_title(drawing, err)) return false;
    bool kept = session->plots && !session->interp.safe;
    return kept ? save_numbered(session, &drawing->picture, err)
                : show(session, &drawing->picture, rows, false, err);
}
