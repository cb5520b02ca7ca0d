#include "shell/explore/explore_model.h"

#include "base/translate.h"
#include "session/bench/result_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_AT_FIRST = 10 }; /* rows that PgUp and PgDn go before anything is drawn */

/* ---- life cycle ---- */

static size_t kind_index(const MaskDef *kind) {
    size_t i = 0;
    while (mask_kinds[i] != kind) i++;
    return i;
}

/* Keeps the numbers of the mask for when m comes back to its kinds. */
static void keep_mask_numbers(Explore *e) {
    for (int t = 0; t < e->settings.mask.count; t++) {
        const MaskTerm *term = &e->settings.mask.terms[t];
        e->mask_numbers[kind_index(term->kind)] = term->number;
    }
}

bool explore_init(Explore *e, Session *session, Error *err) {
    *e = (Explore){.session = session,
                   .run = object_ref(session->bench.run),
                   .layout = {.shown_queries = PAGE_AT_FIRST},
                   .scene = {.type = &explore_scene, .change = TEXT_EMPTY}};
    settings_copy(&e->settings, &session->bench.settings);
    settings_copy(&e->entry, &session->bench.settings);
    for (size_t i = 0; mask_kinds[i]; i++) {
        const MaskDef *kind = mask_kinds[i];
        e->mask_numbers[i] = kind->usual ? kind->usual(e->run->keys) : kind->words.least;
    }
    keep_mask_numbers(e);
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

/* Writes each setting that steers attention and has changed: "mask none → causal", or as commands
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

/* ---- one step of each setting ---- */

/* Turns `wanted`, a copy of the settings, by so many steps. False, with a remark, where there is no
 * such step. */
typedef bool Turn(const Explore *explore, Settings *wanted, int by, Error *remark);

/* The next rung of the ladder below or above, wherever the temperature is. */
static bool turn_temperature(const Explore *e, Settings *wanted, int by, Error *remark) {
    static const double ladder[] = {
        0,   0.01, 0.014, 0.02, 0.03, 0.05, 0.07, 0.1, 0.14,
        0.2, 0.3,  0.5,   0.7,  1,    1.4,  2,    3,   5,
        7,   10,   14,    20,   30,   50,   70,   100, (double)INFINITY};
    int rungs = sizeof ladder / sizeof *ladder, rung = by < 0 ? rungs - 1 : 0;
    double now = wanted->temperature;
    (void)e;
    while (by && rung >= 0 && rung < rungs && (by < 0 ? ladder[rung] >= now : ladder[rung] <= now))
        rung += by;
    if (rung < 0)
        return error_set(remark, ERR_VALUE,
                         "the temperature is 0 already: only the best key counts");
    if (rung >= rungs)
        return error_set(remark, ERR_VALUE,
                         "the temperature is inf already: all visible keys count alike");
    wanted->temperature = by ? ladder[rung] : 1;
    return true;
}

/* sqrt, none, and the number that the session came with. */
static bool turn_scale(const Explore *e, Settings *wanted, int by, Error *remark) {
    const Settings *entry = &e->entry;
    bool has_number = !entry->scale_sqrt && entry->scale != 1,
         none = !wanted->scale_sqrt && wanted->scale == 1;
    (void)by, (void)remark;
    bool number = none && has_number;
    wanted->scale = number ? entry->scale : 1;
    wanted->scale_sqrt = !wanted->scale_sqrt && !number;
    return true;
}

/* The masks that m steps through: each kind that is typed without an array, and behind it that kind
 * joined with another where the table says so. One that the session came with is the last. */
typedef struct MaskChoice {
    int count;
    const MaskDef *kinds[2];
} MaskChoice;

/* The index of the choice that the mask equals; `count` if it is none of them. */
static int mask_choice(const MaskSpec *mask, const MaskChoice *choices, int count) {
    for (int i = 0; i < count; i++) {
        bool same = mask->count == choices[i].count;
        for (int t = 0; same && t < mask->count; t++)
            same = mask->terms[t].kind == choices[i].kinds[t];
        if (same) return i;
    }
    return count;
}

/* The next mask; one that the session came with stays among them. */
static bool turn_mask(const Explore *e, Settings *wanted, int by, Error *remark) {
    MaskChoice choices[2 * EXPLORE_MASKS_MAX];
    int count = 0;
    for (size_t i = 0; mask_kinds[i]; i++) {
        const MaskDef *kind = mask_kinds[i];
        if (kind->words.takes == WORD_TAKES_ARRAY) continue;
        choices[count++] = (MaskChoice){kind != &no_mask, {kind}};
        if (kind->with) choices[count++] = (MaskChoice){2, {kind->with, kind}};
    }
    bool own = mask_choice(&e->entry.mask, choices, count) == count;
    int all = count + own, at = mask_choice(&wanted->mask, choices, count);
    at = (at + by + all) % all;
    setting_reset(setting_find("mask"), wanted);
    if (at == count) {
        mask_copy(&wanted->mask, &e->entry.mask);
        memcpy(wanted->mask_names, e->entry.mask_names, sizeof wanted->mask_names);
        return true;
    }
    for (int t = 0; t < choices[at].count; t++) {
        const MaskDef *kind = choices[at].kinds[t];
        if (!mask_add(&wanted->mask, kind, e->mask_numbers[kind_index(kind)], NULL, remark))
            return false;
    }
    return true;
}

/* The width of the mask's window or padding. */
static bool turn_width(const Explore *e, Settings *wanted, int by, Error *remark) {
    bool any = false;
    for (int t = 0; t < wanted->mask.count; t++) {
        MaskTerm *term = &wanted->mask.terms[t];
        const WordDef *words = &term->kind->words;
        if (words->takes != WORD_TAKES_WHOLE) continue;
        double number = term->number + by;
        if (number < words->least)
            return error_set(remark, ERR_VALUE, "%s %g is the narrowest", words->word,
                             words->least);
        if (by > 0 && term->kind->widest &&
            number > term->kind->widest(e->run->queries, e->run->keys))
            return error_set(remark, ERR_VALUE, "%s %g hides nothing already", words->word,
                             term->number);
        term->number = number;
        any = true;
    }
    return any || error_set(remark, ERR_VALUE, "this mask has no width: m leads to a window");
}

/* The number of kinds of positions. */
static int position_count(void) {
    int count = 0;
    while (position_kinds[count]) count++;
    return count;
}

static bool turn_position(const Explore *e, Settings *wanted, int by, Error *remark) {
    (void)remark;
    int count = position_count(), at = 0;
    while (position_kinds[at] != wanted->position.kind) at++;
    const PositionDef *kind = position_kinds[(at + by + count) % count];
    position_release(&wanted->position);
    if (kind == e->entry.position.kind) position_copy(&wanted->position, &e->entry.position);
    else wanted->position.kind = kind;
    return true;
}

/* The next divisor of the widths. */
static bool turn_heads(const Explore *e, Settings *wanted, int by, Error *remark) {
    const Run *run = e->run;
    size_t d_k = run->heads * run->d_k, d_v = run->heads * run->d_v, heads = run->heads;
    (void)by;
    do heads = heads % d_k + 1;
    while (d_k % heads != 0 || d_v % heads != 0);
    bool alone = heads == run->heads;
    if (alone && d_k == d_v)
        return error_set(remark, ERR_VALUE, "a width of %zu cannot be cut into heads", d_k);
    if (alone)
        return error_set(
            remark, ERR_VALUE,
            "the widths %zu and %zu have no divisor in common: one head is all that fits", d_k,
            d_v);
    wanted->heads = heads;
    return true;
}

static bool turn_back(const Explore *e, Settings *wanted, int by, Error *remark) {
    (void)by;
    if (settings_equal(wanted, &e->entry))
        return error_set(remark, ERR_VALUE, "the settings are those of the start");
    settings_release(wanted);
    settings_copy(wanted, &e->entry);
    return true;
}

/* ---- turning ---- */

/* Runs the bench with one setting changed, and takes the run over if it fits. A misfit is kept as
 * the remark. False only when it was interrupted. */
static bool turn_knob(Explore *e, Turn *turn, int by, Error *err) {
    Settings wanted;
    Error misfit = {.kind = ERR_NONE};
    RunSummary now;
    Run *run = NULL;
    settings_copy(&wanted, &e->settings);
    if (turn(e, &wanted, by, &misfit))
        run = bench_run(e->session, &e->session->bench.inputs, &wanted, TRACE_AT_ONCE, &misfit);
    if (run && run_summary(run, &now, &misfit)) {
        text_clear(&e->scene.change);
        write_changes(&e->settings, &wanted, false, &e->scene.change);
        e->before = e->now;
        e->now = now;
        settings_release(&e->settings);
        object_unref(e->run);
        e->settings = wanted;
        e->run = run;
        if (e->head >= run->heads) e->head = 0;
        keep_mask_numbers(e);
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
static bool turn_to_position(Explore *e, int by, Error *err) {
    const Run *before = e->run;
    for (int step = by; e->run == before && abs(step) < position_count(); step += by)
        if (!turn_knob(e, turn_position, step, err)) return false;
    if (e->run == before || e->scene.remark.kind == ERR_NONE) return true;
    text_say(&e->scene.change, " (passed over: %s)", e->scene.remark.message);
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
    size_t queries = e->run->queries;
    if (scene_select(key, &e->key, e->run->keys, &e->query, queries)) return true;
    switch (key) {
    case EXPLORE_PAGE_UP: scene_move(&e->query, -(long)e->layout.shown_queries, queries); break;
    case EXPLORE_PAGE_DOWN: scene_move(&e->query, (long)e->layout.shown_queries, queries); break;
    case 't': return turn_knob(e, turn_temperature, -1, err);
    case 'T': return turn_knob(e, turn_temperature, 1, err);
    case '0':
    case '1': return turn_knob(e, turn_temperature, 0, err);
    case 's': return turn_knob(e, turn_scale, 1, err);
    case 'm': return turn_knob(e, turn_mask, 1, err);
    case 'M': return turn_knob(e, turn_mask, -1, err);
    case 'w': return turn_knob(e, turn_width, -1, err);
    case 'W': return turn_knob(e, turn_width, 1, err);
    case 'p': return turn_to_position(e, 1, err);
    case 'P': return turn_to_position(e, -1, err);
    case 'H':
    case EXPLORE_TAB: return turn_knob(e, turn_heads, 1, err);
    case 'r': return turn_knob(e, turn_back, 0, err);
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
