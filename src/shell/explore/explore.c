#include "shell/explore/explore.h"

#include "base/interrupt.h"
#include "shell/explore/explore_draw.h"
#include "shell/explore/explore_keys.h"
#include "shell/explore/explore_page.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal.h"

typedef struct View {
    Explore model;
    ExploreDraw draw;
    ExploreLayout layout;
    Sheet sheet;
    Host *host;
} View;

/* ---- the loop ---- */

static void follow_size(View *view, bool again) {
    int rows = view->host->rows, columns = view->host->columns;
    terminal_measure(view->host);
    if (again || rows != view->host->rows || columns != view->host->columns)
        explore_draw_resize(&view->draw, view->host->rows, view->host->columns);
}

static bool show(View *view, Error *err) {
    sheet_clear(&view->sheet, (size_t)view->host->rows, (size_t)view->host->columns);
    if (!explore_page(&view->model, &view->layout, &view->sheet, err)) return false;
    view->model.page = view->layout.shown_queries;
    explore_draw_sheet(&view->draw, &view->sheet);
    return true;
}

static void stop(View *view) {
    explore_draw_leave(&view->draw);
    signals_stop();
    follow_size(view, true);
}

/* Ctrl-C leaves, and is no error: nothing is lost by it. */
static bool leave(View *view) {
    interrupt_flag = 0;
    view->model.state = EXPLORE_DROPPED;
    return true;
}

static bool press(View *view, int key, Error *err) {
    enum { CTRL_L = 12 };
    if (key == CTRL_L) return follow_size(view, true), true;
    return explore_press(&view->model, key, err) || (err->kind == ERR_INTERRUPT && leave(view));
}

static bool step(View *view, Error *err) {
    int key;
    switch (explore_keys_wait(&key)) {
    case EVENT_KEY: return press(view, key, err);
    case EVENT_RESIZE: return follow_size(view, true), true;
    case EVENT_STOP: return stop(view), true;
    case EVENT_CONTINUE: return explore_draw_leave(&view->draw), follow_size(view, true), true;
    default: return leave(view);
    }
}

static bool run(View *view, Error *err) {
    while (view->model.state == EXPLORE_OPEN)
        if (!show(view, err) || !step(view, err)) return false;
    return true;
}

static bool on_screen(View *view, const char *palette, Error *err) {
    if (!explore_draw_open(&view->draw, view->host, palette, err)) return false;
    sheet_init(&view->sheet, view->draw.utf8, view->draw.colored);
    bool ok = run(view, err);
    explore_draw_close(&view->draw);
    sheet_release(&view->sheet);
    return ok;
}

/* Signals are ours before ncurses would take them, and until it has left the screen. */
static bool with_signals(View *view, const char *palette, Error *err) {
    terminal_measure(view->host);
    if (!explore_keys_open(err)) return false;
    bool ok = on_screen(view, palette, err);
    signals_end();
    return ok;
}

/* ---- the command ---- */

/* Part of the entry that `explore` is: one undo takes it back. */
static bool keep(Session *session, const Explore *model, bool quiet, Error *err) {
    Text what;
    if (!explore_has_changed(model)) return true;
    text_init(&what);
    explore_write_changes(model, &what);
    settings_release(&session->bench.settings);
    settings_copy(&session->bench.settings, &model->settings);
    bool ok = text_ok(&what, err) && session_answer(session, what.data, quiet, err);
    text_release(&what);
    return ok;
}

/* Where there is no screen the same comes of the commands: a session that was saved runs again. */
static bool write_down(Session *session, const Explore *model, Error *err) {
    Text line;
    text_init(&line);
    if (!session->before.bench.run) text_string(&line, "attend;");
    if (model->state == EXPLORE_KEPT) explore_write_commands(model, &line);
    bool ok = text_ok(&line, err);
    if (ok) transcript_add(&session->transcript, line.data, line.length, true);
    text_release(&line);
    session->transcript.skip = true;
    return ok;
}

static bool finish(Session *session, const Explore *model, bool quiet, Error *err) {
    if (model->state == EXPLORE_KEPT) return keep(session, model, quiet, err);
    if (explore_has_changed(model) && !quiet)
        host_note(session->interp.host,
                  "(the settings are as they were; q would have kept them)\n");
    return true;
}

static bool explore(Session *session, CommandCall *call, Error *err) {
    Host *host = session->interp.host;
    if (!command_finish(call, err)) return false;
    if (!host->interactive) return explore_draw_refuse(err, "there is none here");
    View view = {.host = host};
    if (!session_need_run(session, err) || !explore_init(&view.model, session, err)) return false;
    bool ok = with_signals(&view, session->bench.settings.palette, err) &&
              finish(session, &view.model, call->quiet, err);
    if (ok && call->top_level && session->run_depth == 0)
        ok = write_down(session, &view.model, err);
    explore_release(&view.model);
    return ok;
}

const CommandDef explore_commands[] = {
    {{.name = "explore", .words = ""},
     explore,
     false,
     "explore",
     "The bench on the full screen: the weights of a head, the entropy of each query, and how the "
     "selected weight comes about. Arrow keys select a query and a key; t and T turn the "
     "temperature, "
     "s the scale, m the mask, p the position, H the heads, and all follows at once; ? lists the "
     "keys. q leaves and keeps the settings, which one undo takes back; Esc or Ctrl-C leaves them "
     "as they were.",
     "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\ntry: explore\nexcept plot: print(\"explore needs "
     "a terminal\")\n# -> explore needs a terminal",
     "attend set trace why"},
    {.syntax = {.name = NULL}},
};
