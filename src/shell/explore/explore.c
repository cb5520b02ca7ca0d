#include "shell/explore/explore.h"

#include "base/interrupt.h"
#include "shell/explore/explore_input.h"
#include "shell/explore/explore_page.h"
#include "shell/explore/explore_screen.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal.h"

/* ---- the loop ---- */

typedef struct View {
    Explore model;
    ExploreScreen screen;
    ExploreLayout layout;
    Sheet sheet;
    Host *host;
} View;

/* Asks the terminal for its size, and has all drawn anew. */
static void measure_again(View *view) {
    terminal_measure(view->host);
    explore_screen_resize(&view->screen, view->host->rows, view->host->columns);
}

static bool show_page(View *view, Error *err) {
    sheet_clear(&view->sheet, (size_t)view->host->rows, (size_t)view->host->columns);
    if (!explore_page(&view->model, &view->layout, &view->sheet, err)) return false;
    view->model.page = view->layout.shown_queries;
    explore_screen_show(&view->screen, &view->sheet);
    return true;
}

/* Waits for a key or a signal, and does what it asks for. */
static void follow_event(View *view, Error *err) {
    enum { CTRL_L = 12 };
    bool stays = true;
    int key;
    switch (explore_input_wait(&key)) {
    case EVENT_KEY:
        if (key == CTRL_L) measure_again(view);
        else stays = explore_press(&view->model, key, err);
        break;
    case EVENT_RESIZE: measure_again(view); break;
    case EVENT_STOP:
        explore_screen_leave(&view->screen);
        signals_stop();
        measure_again(view);
        break;
    case EVENT_CONTINUE:
        explore_screen_leave(&view->screen);
        measure_again(view);
        break;
    default: stays = false;
    }
    if (stays) return;
    interrupt_flag = 0; /* Ctrl-C leaves, and is no error: nothing is lost by it */
    view->model.state = EXPLORE_DROPPED;
}

/* Signals are ours before ncurses would take them, and until it has left the screen. */
static bool run_screen(View *view, const char *palette, Error *err) {
    terminal_measure(view->host);
    if (!explore_input_open(err)) return false;
    /* Ctrl-C before they were ours has raised the flag and is seen by nobody else. */
    bool ok = !interrupted(err) && explore_screen_open(&view->screen, view->host, palette, err);
    if (ok) {
        sheet_init(&view->sheet, view->screen.utf8, view->screen.colored);
        while (ok && view->model.state == EXPLORE_OPEN) {
            ok = show_page(view, err);
            if (ok) follow_event(view, err);
        }
        explore_screen_close(&view->screen);
        sheet_release(&view->sheet);
    }
    signals_end();
    return ok;
}

/* ---- the command ---- */

/* Hands the settings to the session, as a part of the entry that `explore` is: one undo takes it
 * back. */
static bool keep_settings(Session *session, const Explore *model, bool quiet, Error *err) {
    Text what = TEXT_EMPTY;
    if (!explore_has_changed(model)) return true;
    explore_write_changes(model, &what);
    settings_release(&session->bench.settings);
    settings_copy(&session->bench.settings, &model->settings);
    bool ok = text_ok(&what, err) && session_answer(session, what.data, quiet, err);
    text_release(&what);
    return ok;
}

/* Writes the commands that come to the same into the transcript: a session that was saved runs
 * again where there is no screen. */
static bool write_down(Session *session, const Explore *model, Error *err) {
    Text line = TEXT_EMPTY;
    if (!session->before.bench.run) text_string(&line, "attend;");
    if (model->state == EXPLORE_KEPT) explore_write_commands(model, &line);
    bool ok = text_ok(&line, err);
    if (ok) transcript_add(&session->transcript, line.data, line.length, true);
    text_release(&line);
    session->transcript.skip = true;
    return ok;
}

static bool explore(Session *session, CommandCall *call, Error *err) {
    Host *host = session->interp.host;
    if (!command_finish(call, err)) return false;
    if (!host->interactive) return explore_screen_refuse(err, "there is none here");
    View view = {.host = host};
    const Explore *model = &view.model;
    if (!session_need_run(session, err) || !explore_init(&view.model, session, err)) return false;
    bool ok = run_screen(&view, session->bench.settings.palette, err);
    if (ok && model->state == EXPLORE_KEPT) ok = keep_settings(session, model, call->quiet, err);
    else if (ok && explore_has_changed(model) && !call->quiet)
        host_note(host, "(the settings are as they were; q would have kept them)\n");
    if (ok && call->top_level && session->run_depth == 0) ok = write_down(session, model, err);
    explore_release(&view.model);
    return ok;
}

/* clang-format off */
const CommandDef explore_commands[] = {
    {{.name = "explore", .words = ""}, explore, false, "explore",
     "The bench on the full screen: the weights of a head, the entropy of each query, and how the "
     "selected weight comes about. Arrow keys select a query and a key; t and T turn the "
     "temperature, s the scale, m the mask, p the position, H the heads, and all follows at once; "
     "? lists the keys. q leaves and keeps the settings, which one undo takes back; Esc or Ctrl-C "
     "leaves them as they were.",
     "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\ntry: explore\nexcept plot: print(\"explore needs "
     "a terminal\")\n# -> explore needs a terminal",
     "attend set trace why"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
