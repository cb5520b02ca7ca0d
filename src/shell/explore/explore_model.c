#include "shell/explore/explore_model.h"

#include "session/bench/result_view.h"
#include "shell/explore/explore_knobs.h"

#include <stdlib.h>
#include <string.h>

/* ---- life cycle ---- */

bool explore_init(Explore *e, Session *session, Error *err) {
    *e = (Explore){.session = session,
                   .run = run_ref(session->bench.run),
                   .page = 10,
                   .window = -1,
                   .padding = -1};
    settings_copy(&e->settings, &session->bench.settings);
    settings_copy(&e->entry, &session->bench.settings);
    text_init(&e->change);
    explore_mask_numbers(e);
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
    run_unref(e->run);
    labels_release(&e->query_labels);
    labels_release(&e->key_labels);
    text_release(&e->change);
    e->run = NULL;
}

/* ---- what has changed ---- */

typedef void WriteChange(const SettingDef *setting, const Settings *before, const Settings *after,
                         Text *out);

static void write_change(const SettingDef *setting, const Settings *before, const Settings *after,
                         Text *out) {
    text_format(out, "%s%s ", out->length ? ", " : "", setting->name);
    setting_write_short(setting, before, out);
    text_string(out, " → ");
    setting_write_short(setting, after, out);
}

static void write_command(const SettingDef *setting, const Settings *before, const Settings *after,
                          Text *out) {
    (void)before;
    text_format(out, "%sset %s ", out->length ? " " : "", setting->name);
    setting->write(after, out);
    text_char(out, ';');
}

/* Does it come to the same words? Memory that runs out counts as a change, which then cannot be
 * written. */
static bool is_same(const SettingDef *setting, const Settings *before, const Settings *after) {
    Text old, new;
    text_init(&old);
    text_init(&new);
    setting->write(before, &old);
    setting->write(after, &new);
    bool same = !old.failed && !new.failed &&strcmp(old.data, new.data) == 0;
    text_release(&old);
    text_release(&new);
    return same;
}

static void write_changes(const Settings *before, const Settings *after, WriteChange *write,
                          Text *out) {
    for (const SettingDef *row = setting_table; row->name; row++)
        if (row->steers_attention && !is_same(row, before, after)) write(row, before, after, out);
}

bool explore_has_changed(const Explore *e) { return !settings_equal(&e->settings, &e->entry); }

void explore_write_changes(const Explore *e, Text *text) {
    write_changes(&e->entry, &e->settings, write_change, text);
}

void explore_write_commands(const Explore *e, Text *text) {
    write_changes(&e->entry, &e->settings, write_command, text);
}

/* ---- turning ---- */

static void take(Explore *e, Settings *wanted, Run *run, RunSummary now) {
    text_clear(&e->change);
    write_changes(&e->settings, wanted, write_change, &e->change);
    e->before = e->now;
    e->now = now;
    settings_release(&e->settings);
    run_unref(e->run);
    e->settings = *wanted;
    e->run = run;
    if (e->head >= run->heads) e->head = 0;
    explore_mask_numbers(e);
}

/* One try; *fits says how it went. False only when it was interrupted. */
static bool try(Explore *e, ExploreKnob *knob, int by, bool *fits, Error *err) {
    Settings wanted;
    settings_copy(&wanted, &e->settings);
    Error misfit = {.kind = ERR_NONE};
    RunSummary now;
    Run *run = knob(e, &wanted, by, &misfit)
                   ? bench_run(e->session, &e->session->bench.inputs, &wanted, &misfit)
                   : NULL;
    *fits = run && run_need_trace(run, &misfit) && run_summary(run, &now, &misfit);
    if (*fits) return take(e, &wanted, run, now), true;
    run_unref(run);
    settings_release(&wanted);
    if (misfit.kind == ERR_INTERRUPT) return *err = misfit, false;
    if (e->remark.kind == ERR_NONE) e->remark = misfit;
    return true;
}

static bool turn(Explore *e, ExploreKnob *knob, int by, Error *err) {
    bool fits;
    return try(e, knob, by, &fits, err);
}

/* ---- what keys do ---- */

typedef bool Action(Explore *e, int by, Error *err);

static bool turn_temperature(Explore *e, int by, Error *err) {
    return turn(e, explore_temperature, by, err);
}
static bool turn_scale(Explore *e, int by, Error *err) { return turn(e, explore_scale, by, err); }
static bool turn_mask(Explore *e, int by, Error *err) { return turn(e, explore_mask, by, err); }
static bool turn_width(Explore *e, int by, Error *err) { return turn(e, explore_width, by, err); }
static bool turn_heads(Explore *e, int by, Error *err) { return turn(e, explore_heads, by, err); }
static bool turn_back(Explore *e, int by, Error *err) { return turn(e, explore_entry, by, err); }

/* What does not fit is passed over, and said. */
static bool turn_position(Explore *e, int by, Error *err) {
    bool fits = false;
    for (int step = by; !fits && abs(step) <= POSITION_ROPE; step += by)
        if (!try(e, explore_position, step, &fits, err)) return false;
    if (!fits || e->remark.kind == ERR_NONE) return true;
    text_format(&e->change, " (passed over: %s)", e->remark.message);
    e->remark.kind = ERR_NONE;
    return true;
}

/* From `at` by so many steps, as far as there are any. */
static size_t moved(size_t at, long by, size_t count) {
    if (by < 0) return at > (size_t)-by ? at - (size_t)-by : 0;
    return at + (size_t)by < count ? at + (size_t)by : count - 1;
}

static bool move_query(Explore *e, int by, Error *err) {
    (void)err;
    e->query = moved(e->query, by, e->run->queries);
    return true;
}

static bool move_page(Explore *e, int by, Error *err) {
    (void)err;
    e->query = moved(e->query, by * (long)e->page, e->run->queries);
    return true;
}

static bool move_key(Explore *e, int by, Error *err) {
    (void)err;
    e->key = moved(e->key, by, e->run->keys);
    return true;
}

static bool move_to_edge(Explore *e, int by, Error *err) {
    (void)err;
    e->key = by < 0 ? 0 : e->run->keys - 1;
    return true;
}

static bool show_head(Explore *e, int by, Error *err) {
    (void)err;
    if (e->run->heads == 1) error_set(&e->remark, ERR_VALUE, "there is one head: H makes more");
    e->head = (e->head + e->run->heads + (size_t)by) % e->run->heads;
    return true;
}

static bool zoom(Explore *e, int by, Error *err) {
    (void)by, (void)err;
    e->zoomed = !e->zoomed;
    return true;
}

static bool help(Explore *e, int by, Error *err) {
    (void)by, (void)err;
    e->helping = true;
    return true;
}

static bool keep(Explore *e, int by, Error *err) {
    (void)by, (void)err;
    e->state = EXPLORE_KEPT;
    return true;
}

static bool drop(Explore *e, int by, Error *err) {
    (void)by, (void)err;
    e->state = EXPLORE_DROPPED;
    return true;
}

/* ---- the table of keys ---- */

static const struct {
    int key;
    Action *act;
    int by;
} actions[] = {
    {EXPLORE_LEFT, move_key, -1},
    {'h', move_key, -1},
    {EXPLORE_RIGHT, move_key, 1},
    {'l', move_key, 1},
    {EXPLORE_UP, move_query, -1},
    {'k', move_query, -1},
    {EXPLORE_DOWN, move_query, 1},
    {'j', move_query, 1},
    {EXPLORE_HOME, move_to_edge, -1},
    {EXPLORE_END, move_to_edge, 1},
    {EXPLORE_PAGE_UP, move_page, -1},
    {EXPLORE_PAGE_DOWN, move_page, 1},
    {'t', turn_temperature, -1},
    {'T', turn_temperature, 1},
    {'1', turn_temperature, 0},
    {'0', turn_temperature, 0},
    {'s', turn_scale, 1},
    {'m', turn_mask, 1},
    {'M', turn_mask, -1},
    {'w', turn_width, -1},
    {'W', turn_width, 1},
    {'p', turn_position, 1},
    {'P', turn_position, -1},
    {'H', turn_heads, 1},
    {EXPLORE_TAB, turn_heads, 1},
    {'[', show_head, -1},
    {']', show_head, 1},
    {'r', turn_back, 0},
    {'z', zoom, 0},
    {' ', zoom, 0},
    {'?', help, 0},
    {'q', keep, 0},
    {EXPLORE_ESCAPE, drop, 0},
};

const ExploreHelp explore_help[] = {
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

bool explore_press(Explore *e, int key, Error *err) {
    e->remark.kind = ERR_NONE;
    if (e->helping) return e->helping = false, true;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (actions[i].key == key) return actions[i].act(e, actions[i].by, err);
    if (key >= ' ' && key < 127)
        error_set(&e->remark, ERR_VALUE, "%c is no key here: ? lists those that are", key);
    return true;
}
