#include "shell/explore/explore.h"

#include "base/interrupt.h"
#include "base/translate.h"
#include "shell/explore/explore_heads.h"
#include "shell/explore/explore_input.h"
#include "shell/explore/explore_model.h"
#include "shell/explore/explore_screen.h"
#include "shell/terminal/signals.h"
#include "shell/terminal/terminal.h"

/* ---- the loop ---- */

typedef struct View {
    Scene *scene;
    ExploreScreen screen;
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
    if (!scene_page(view->scene, &view->sheet, err)) return false;
    explore_screen_show(&view->screen, &view->sheet);
    return true;
}

/* Waits for a key or a signal, and does what it asks for. False: the scene is left. */
static bool follow_event(View *view, Error *err) {
    enum { CTRL_L = 12 };
    bool stays = true;
    int key;
    switch (explore_input_wait(&key)) {
    case EVENT_KEY:
        if (key == CTRL_L) measure_again(view);
        else stays = scene_press(view->scene, key, err);
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
    if (stays) return view->scene->state == EXPLORE_OPEN;
    interrupt_flag = 0; /* Ctrl-C leaves, and is no error: nothing is lost by it */
    view->scene->state = EXPLORE_DROPPED;
    return false;
}

/* Signals are ours before ncurses would take them, and until it has left the screen. */
static bool run_screen(Host *host, Scene *scene, const char *palette, Error *err) {
    View view = {.scene = scene, .host = host};
    terminal_measure(host);
    if (!explore_input_open(err)) return false;
    /* Ctrl-C before they were ours has raised the flag and is seen by nobody else. */
    bool ok = !interrupted(err) && explore_screen_open(&view.screen, host, palette, err);
    if (ok) {
        sheet_init(&view.sheet, view.screen.utf8, view.screen.colored);
        do ok = show_page(&view, err);
        while (ok && follow_event(&view, err));
        explore_screen_close(&view.screen);
        sheet_release(&view.sheet);
    }
    signals_end();
    return ok;
}

/* ---- the bench ---- */

/* Hands the settings to the session, as a part of the entry that `explore` is: one undo takes it
 * back. */
static bool keep_settings(Session *session, const Explore *model, bool quiet, Error *err) {
    LocalText what = TEXT_EMPTY;
    if (!explore_has_changed(model)) return true;
    explore_write_changes(model, &what);
    settings_release(&session->bench.settings);
    settings_copy(&session->bench.settings, &model->settings);
    return text_ok(&what, err) && session_answer(session, what.data, NULL, quiet, err);
}

/* Shows the run on the bench. *kept becomes whether it was left by q. */
static bool explore_bench(Session *session, CommandCall *call, bool *kept, Text *commands,
                          Error *err) {
    Host *host = session->interp.host;
    Explore model;
    if (!explore_init(&model, session, err)) return false;
    bool ok = run_screen(host, &model.scene, session->bench.settings.palette, err);
    *kept = ok && model.scene.state == EXPLORE_KEPT;
    if (*kept) explore_write_commands(&model, commands);
    if (*kept) ok = keep_settings(session, &model, call->quiet, err);
    else if (ok && explore_has_changed(&model) && !call->quiet)
        host_note(host, "(the settings are as they were; q would have kept them)\n");
    explore_release(&model);
    return ok;
}

/* ---- the heads of a model ---- */

/* The state that opening a head replaces: the bench, and the variables that it reads or makes. */
enum { REPLACED = 4 };
typedef struct Replaced {
    Bench bench;
    Value values[REPLACED];
} Replaced;
static const char *const replaced_names[REPLACED] = {"Q", "K", "V", "last"};

static void put_aside(const Session *session, Replaced *out) {
    bench_copy(&out->bench, &session->bench);
    for (size_t i = 0; i < REPLACED; i++) {
        const Symbol *symbol = interp_find(&session->interp, replaced_names[i]);
        out->values[i] = symbol ? value_ref(symbol->value) : VALUE_MISSING;
    }
}

/* Brings back what was put aside, if `back`; gives its references back. */
static bool bring_back(Session *session, Replaced *aside, bool back, Error *err) {
    bool ok = true;
    for (size_t i = 0; i < REPLACED; i++) {
        const Value *value = aside->values[i].kind == VALUE_UNSET ? NULL : &aside->values[i];
        if (back) ok = session_set_variable(session, replaced_names[i], value, err) && ok;
        value_release(&aside->values[i]);
    }
    Bench dropped = back ? session->bench : aside->bench;
    if (back) session->bench = aside->bench;
    bench_release(&dropped);
    session_apply_settings(session);
    return ok;
}

/* Puts the selected head on the bench and shows it. Left by Esc, all is as it was, and the heads
 * are shown again. */
static bool open_head(Session *session, CommandCall *call, ExploreHeads *heads, Text *commands,
                      Error *err) {
    HeadPlace place = explore_heads_selected(heads);
    LocalText line = TEXT_FOR(commands);
    Replaced aside;
    bool kept = false;
    text_string(&line, "head ");
    head_write(explore_heads_config(heads), place, &line);
    text_char(&line, ';');
    put_aside(session, &aside);
    bool ok =
        inspection_put_head(session, place, err) && explore_bench(session, call, &kept, &line, err);
    ok = bring_back(session, &aside, ok && !kept, err) && ok;
    heads->scene.state = kept ? EXPLORE_KEPT : EXPLORE_OPEN;
    if (kept) text_bytes(commands, line.data, line.length);
    return ok;
}

static bool explore_model_heads(Session *session, CommandCall *call, Text *commands, Error *err) {
    Host *host = session->interp.host;
    ExploreHeads heads;
    LocalText opened = TEXT_FOR(commands);
    if (!explore_heads_init(&heads, session, err)) return false;
    bool ok = true;
    while (ok && heads.scene.state == EXPLORE_OPEN) {
        ok = run_screen(host, &heads.scene, session->bench.settings.palette, err);
        if (ok && heads.scene.state == EXPLORE_OPENED)
            ok = open_head(session, call, &heads, &opened, err);
    }
    if (ok && heads.scene.state == EXPLORE_DROPPED) ok = explore_heads_restore(&heads, err);
    explore_heads_write_commands(&heads, commands);
    if (opened.length) text_bytes(commands, opened.data, opened.length);
    if (ok && !call->quiet && explore_heads_in_force(&heads)) {
        Text line = TEXT_EMPTY, said = TEXT_EMPTY;
        text_string(&line, "in force: ");
        interventions_write(explore_heads_config(&heads), explore_heads_in_force(&heads), &line);
        text_char(&line, '\n');
        tr_write(&said, line.data);
        text_release_for(&line, &said);
        ok = session_write_text(session, true, &said, err);
    }
    explore_heads_release(&heads);
    return ok;
}

/* ---- the command ---- */

static bool explore(Session *session, CommandCall *call, Error *err) {
    bool asked = command_take(call, "heads"), kept;
    bool of_model = asked || (session->bench.inspection && !session->bench.run);
    LocalText commands = TEXT_EMPTY;
    if (!command_finish(call, err) || (asked && !inspection_needed(session, call, err)))
        return false;
    if (session->interp.rehearses) return true;
    if (!session->interp.host->interactive) return explore_screen_refuse(err, "there is none here");
    if (!of_model && !session->before.bench.run) text_string(&commands, "attend;");
    bool ok = of_model ? explore_model_heads(session, call, &commands, err)
                       : session_need_run(session, err) &&
                             explore_bench(session, call, &kept, &commands, err);
    if (!ok || !call->top_level || session->run_depth > 0) return ok;

    /* The transcript gets the commands that have the same effect: a session that was saved runs
     * again where there is no screen. */
    ok = text_ok(&commands, err);
    if (ok) transcript_add(&session->transcript, commands.data, commands.length, true);
    if (ok) transcript_hand_on(&session->transcript, commands.data, commands.length);
    session->transcript.skip = true;
    return ok;
}

/* clang-format off */
const CommandDef explore_commands[] = {
    {{.name = "explore", .words = "heads"}, explore, false, "explore [heads]",
     "The bench on the full screen: the weights of a head, the entropy of each query, and how the "
     "selected weight comes about. Arrow keys select a query and a key; t and T turn the "
     "temperature, s the scale, m the mask, p the position, H the heads, and all follows at once; "
     "? lists the keys. q leaves and keeps the settings, which one undo takes back; Esc or Ctrl-C "
     "leaves them as they were. Behind inspect, and as explore heads, it shows the heads of the "
     "model as small maps: arrow keys select one, Enter opens it on the bench, x switches it off "
     "and says what that does to the prediction.",
     "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\ntry: explore\nexcept plot: print(\"explore needs "
     "a terminal\")\n# -> explore needs a terminal",
     "attend set trace why"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
