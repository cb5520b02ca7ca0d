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

/* Shows the open scene, and does what keys and signals ask for until it is left. Signals are ours
 * before ncurses would take them, and until it has left the screen. */
static bool run_screen(Host *host, Scene *scene, const char *palette, Error *err) {
    enum { CTRL_L = 12 };
    ExploreScreen screen;
    Sheet sheet;
    terminal_measure(host);
    if (!explore_input_open(err)) return false;
    /* Ctrl-C before they were ours has raised the flag and is seen by nobody else. */
    if (interrupted(err) || !explore_screen_open(&screen, host, palette, err)) {
        signals_end();
        return false;
    }
    sheet_init(&sheet, screen.utf8, screen.colored);
    bool ok = true;
    while (scene->state == EXPLORE_OPEN) {
        sheet_clear(&sheet, (size_t)host->rows, (size_t)host->columns);
        ok = scene_page(scene, &sheet, err);
        if (!ok) break;
        explore_screen_show(&screen, &sheet);

        bool leaves = false, anew = false; /* anew: the size is asked for, and all is drawn again */
        int key;
        InputEvent event = explore_input_wait(&key);
        switch (event) {
        case INPUT_KEY:
            anew = key == CTRL_L;
            if (anew || scene_press(scene, key, err)) break;
            leaves = true;
            ok = err->kind == ERR_INTERRUPT;
            break;
        case INPUT_RESIZE: anew = true; break;
        case INPUT_STOP:
        case INPUT_CONTINUE:
            explore_screen_leave();
            if (event == INPUT_STOP) signals_stop();
            anew = true;
            break;
        default: leaves = true;
        }
        if (leaves) { /* Ctrl-C is no error: nothing is lost by it */
            interrupt_flag = 0;
            scene->state = EXPLORE_DROPPED;
        }
        if (anew) {
            terminal_measure(host);
            explore_screen_resize(host->rows, host->columns);
        }
    }
    explore_screen_close(&screen);
    sheet_release(&sheet);
    signals_end();
    return ok;
}

/* ---- the bench ---- */

/* Shows the run on the bench. *kept becomes whether it was left by q. */
static bool explore_bench(Session *session, CommandCall *call, bool *kept, Text *commands,
                          Error *err) {
    Host *host = session->interp.host;
    Explore model;
    if (!explore_init(&model, session, err)) return false;
    bool ok = run_screen(host, &model.scene, session->bench.settings.palette, err);
    *kept = ok && model.scene.state == EXPLORE_KEPT;
    if (*kept) explore_write_commands(&model, commands);
    if (*kept && explore_has_changed(&model)) {
        /* The session gets the settings as a part of the entry that `explore` is: one undo takes it
         * back. */
        LocalText what = TEXT_EMPTY;
        explore_write_changes(&model, &what);
        settings_release(&session->bench.settings);
        settings_copy(&session->bench.settings, &model.settings);
        ok = text_ok(&what, err) && session_answer(session, what.data, NULL, call->quiet, err);
    } else if (ok && !*kept && explore_has_changed(&model) && !call->quiet) {
        host_note(host, "(the settings are as they were; q would have kept them)\n");
    }
    explore_release(&model);
    return ok;
}

/* ---- the heads of a model ---- */

/* Puts the selected head on the bench and shows it. Left by Esc, all is as it was, and the heads
 * are shown again. */
static bool open_head(Session *session, CommandCall *call, ExploreHeads *heads, Text *commands,
                      Error *err) {
    /* The things that are replaced while exploring: the bench, and the variables that it reads or
     * makes. */
    static const char *const names[] = {"Q", "K", "V", "last"};
    enum { NAMES = sizeof names / sizeof *names };
    Bench bench;
    Value values[NAMES];
    bench_copy(&bench, &session->bench);
    for (size_t i = 0; i < NAMES; i++) {
        const Symbol *symbol = interp_find(&session->interp, names[i]);
        values[i] = symbol ? value_ref(symbol->value) : VALUE_MISSING;
    }

    HeadPlace place = explore_heads_selected(heads);
    LocalText line = TEXT_FOR(commands);
    bool kept = false;
    text_string(&line, "head ");
    head_write(explore_heads_config(heads), place, &line);
    text_char(&line, ';');
    bool ok =
        inspection_put_head(session, place, err) && explore_bench(session, call, &kept, &line, err);

    bool back = ok && !kept;
    for (size_t i = 0; i < NAMES; i++) {
        const Value *value = values[i].kind == VALUE_UNSET ? NULL : &values[i];
        if (back) ok = session_set_variable(session, names[i], value, err) && ok;
        value_release(&values[i]);
    }
    Bench dropped = back ? session->bench : bench;
    if (back) session->bench = bench;
    bench_release(&dropped);
    session_apply_settings(session);
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
        Text said = TEXT_EMPTY;
        LocalText line = TEXT_FOR(&said);
        text_string(&line, "in force: ");
        interventions_write(explore_heads_config(&heads), explore_heads_in_force(&heads), &line);
        text_char(&line, '\n');
        tr_write(&said, line.data);
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
