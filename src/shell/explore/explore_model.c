#include "shell/explore/explore_model.h"

#include "session/bench/result_view.h"
#include "shell/explore/explore_knobs.h"
#include "shell/explore/explore_page.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_AT_FIRST = 10 }; /* rows that PgUp and PgDn go before anything is drawn */

/* ---- life cycle ---- */

bool explore_init(Explore *e, Session *session, Error *err) {
    *e = (Explore){.session = session,
                   .run = object_ref(session->bench.run),
                   .layout = {.shown_queries = PAGE_AT_FIRST},
                   .scene = {.type = &explore_scene, .change = TEXT_EMPTY}};
    settings_copy(&e->settings, &session->bench.settings);
    settings_copy(&e->entry, &session->bench.settings);
    explore_mask_numbers(e, true);
    if (run_need_trace(e->run, err) && run_summary(e->run, &e->now, err) &&
        labels_of(query_labels(session, e->run->queries), &e->query_labels, err) &&
        labels_of(key_labels(session, e->run->keys), &e->key_labels, err))
        return true;
    explore_release(e);
    return false;
}

void explore_release(Explore *e) {
    settings_release(&e->settings);
    settings_release(&e->entry);
    object_unref(e->run);
    labels_release(&e->query_labels);
    labels_release(&e->key_labels);
    text_release(&e->scene.change);
    e->run = NULL;
}

/* ---- what has changed ---- */

/* Each setting that steers attention and is another one now: "mask none → causal", or as commands
 * "set mask causal;". */
static void write_changes(const Settings *before, const Settings *after, bool commands, Text *out) {
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (!row->steers_attention || setting_is_alike(row, before, after, out)) continue;
        if (out->length) text_string(out, commands ? " " : ", ");
        if (commands) {
            text_format(out, "set %s ", row->name);
            setting_write(row, after, out);
            text_char(out, ';');
        } else {
            setting_write_change(row, before, after, out);
        }
    }
}

bool explore_has_changed(const Explore *e) { return !settings_equal(&e->settings, &e->entry); }

void explore_write_changes(const Explore *e, Text *text) {
    write_changes(&e->entry, &e->settings, false, text);
}

void explore_write_commands(const Explore *e, Text *text) {
    write_changes(&e->entry, &e->settings, true, text);
}

/* ---- turning ---- */

/* Runs the bench with one setting changed, and takes the run over if it fits. A misfit is kept as
 * the remark. False only when it was interrupted. */
static bool turn_knob(Explore *e, ExploreKnob *knob, int by, Error *err) {
    Settings wanted;
    Error misfit = {.kind = ERR_NONE};
    RunSummary now;
    Run *run = NULL;
    settings_copy(&wanted, &e->settings);
    if (knob(e, &wanted, by, &misfit))
        run = bench_run(e->session, &e->session->bench.inputs, &wanted, &misfit);
    if (run && run_need_trace(run, &misfit) && run_summary(run, &now, &misfit)) {
        text_clear(&e->scene.change);
        write_changes(&e->settings, &wanted, false, &e->scene.change);
        e->before = e->now;
        e->now = now;
        settings_release(&e->settings);
        object_unref(e->run);
        e->settings = wanted;
        e->run = run;
        if (e->head >= run->heads) e->head = 0;
        explore_mask_numbers(e, false);
        return true;
    }
    object_unref(run);
    settings_release(&wanted);
    if (misfit.kind == ERR_INTERRUPT) {
        *err = misfit;
        return false;
    }
    if (e->scene.remark.kind == ERR_NONE) e->scene.remark = misfit;
    return true;
}

/* Positions that do not fit are passed over, and the message says so. */
static bool turn_position(Explore *e, int by, Error *err) {
    const Run *before = e->run;
    for (int step = by; e->run == before && abs(step) < explore_position_count(); step += by)
        if (!turn_knob(e, explore_position, step, err)) return false;
    if (e->run == before || e->scene.remark.kind == ERR_NONE) return true;
    text_format(&e->scene.change, " (passed over: %s)", e->scene.remark.message);
    e->scene.remark.kind = ERR_NONE;
    return true;
}

/* ---- keys ---- */

static void show_head(Explore *e, int by) {
    if (e->run->heads == 1)
        error_set(&e->scene.remark, ERR_VALUE, "there is one head: H makes more");
    e->head = (e->head + e->run->heads + (size_t)by) % e->run->heads;
}

static bool press(Scene *scene, int key, Error *err) {
    Explore *e = (Explore *)scene;
    size_t queries = e->run->queries, keys = e->run->keys;
    long page = (long)e->layout.shown_queries;
    switch (key) {
    case EXPLORE_LEFT:
    case 'h': scene_move(&e->key, -1, keys); break;
    case EXPLORE_RIGHT:
    case 'l': scene_move(&e->key, 1, keys); break;
    case EXPLORE_UP:
    case 'k': scene_move(&e->query, -1, queries); break;
    case EXPLORE_DOWN:
    case 'j': scene_move(&e->query, 1, queries); break;
    case EXPLORE_HOME: e->key = 0; break;
    case EXPLORE_END: e->key = keys - 1; break;
    case EXPLORE_PAGE_UP: scene_move(&e->query, -page, queries); break;
    case EXPLORE_PAGE_DOWN: scene_move(&e->query, page, queries); break;

    case 't': return turn_knob(e, explore_temperature, -1, err);
    case 'T': return turn_knob(e, explore_temperature, 1, err);
    case '0':
    case '1': return turn_knob(e, explore_temperature, 0, err);
    case 's': return turn_knob(e, explore_scale, 1, err);
    case 'm': return turn_knob(e, explore_mask, 1, err);
    case 'M': return turn_knob(e, explore_mask, -1, err);
    case 'w': return turn_knob(e, explore_width, -1, err);
    case 'W': return turn_knob(e, explore_width, 1, err);
    case 'p': return turn_position(e, 1, err);
    case 'P': return turn_position(e, -1, err);
    case 'H':
    case EXPLORE_TAB: return turn_knob(e, explore_heads, 1, err);
    case 'r': return turn_knob(e, explore_entry, 0, err);

    case '[': show_head(e, -1); break;
    case ']': show_head(e, 1); break;
    case 'z':
    case ' ': e->zoomed = !e->zoomed; break;
    default: scene_unknown_key(scene, key);
    }
    return true;
}

static const ExploreHelp help[] = {
    {"?", "these keys", "keys"},
    {"q", "leave, keep the settings", "keep"},
    {"Esc", "leave, as before (or Ctrl-C)", "cancel"},
    {"← → ↑ ↓", "another key, query (or hlkj)", NULL},
    {"tT", "temperature down, up", "temperature"},
    {"s", "scale: sqrt, none", "scale"},
    {"m", "mask: the next (M: back)", "mask"},
    {"p", "position: next (P: back)", "position"},
    {"H", "heads: the next divisor", "heads"},
    {"1", "temperature 1 (or 0)", NULL},
    {"wW", "window narrower, wider", NULL},
    {"[ ]", "look at another head", NULL},
    {"z", "numbers in cells (or space)", NULL},
    {"r", "the settings of the start", NULL},
    {"Home End", "the first key, the last", NULL},
    {"PgUp PgDn", "a page of queries", NULL},
    {NULL, NULL, NULL},
};

const SceneType explore_scene = {help, press, explore_draw};
