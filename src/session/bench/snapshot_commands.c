/* snapshot, restore, diff, state: the bench put aside, and what changed since. */
#include "base/memory.h"
#include "base/utf8.h"
#include "session/bench/difference.h"
#include "session/session.h"

#include <string.h>

/* A plain name, or any text in quotes; released with mem_free. */
static char *name_argument(CommandCall *call, Error *err) {
    const char *name = command_take_name(call);
    if (name) return mem_string(name, strlen(name), err);
    Value value;
    if (!command_string(call, "a name", &value, err)) return NULL;
    char *copy = mem_string(value.string->data, value.string->length, err);
    value_release(&value);
    return copy;
}

static const Snapshot *known_argument(Session *session, CommandCall *call, Error *err) {
    enum { NAMES_MOST = 60 };
    const char *names[NAMES_MOST + 1];
    size_t count = 0;
    char *name = name_argument(call, err);
    const Snapshot *snapshot = name ? snapshots_find(session->bench.snapshots, name) : NULL;
    if (name && !snapshot) {
        for (; session->bench.snapshots && count < session->bench.snapshots->count &&
               count < NAMES_MOST;
             count++)
            names[count] = session->bench.snapshots->items[count]->name;
        names[count] = NULL;
        const char *near = nearest_word(name, names);
        error_set(err, ERR_NAME, "there is no snapshot %.60s", name);
        if (near) error_hint(err, "did you mean %s?", near);
        else error_hint(err, count ? "snapshot lists them" : "make one first: snapshot %s", name);
        command_error_at(call, call->next - 1, err);
    }
    mem_free(name);
    return snapshot;
}

/* ---- snapshot ---- */

typedef struct Gathering {
    Session *session;
    Journal *values;
    Error *err;
    bool ok;
} Gathering;

/* The variables that are inputs now, with the projections that X meets. */
static void gather(void *context, const Symbol *symbol) {
    Gathering *all = context;
    Journal *values = all->values;
    if (!all->ok || !(inputs_use(&all->session->bench.inputs, symbol) ||
                      settings_name(&all->session->bench.settings, symbol)))
        return;
    struct Change *changes =
        mem_resize(values->changes, (values->count + 1) * sizeof *changes, all->err);
    if (!changes) {
        all->ok = false;
        return;
    }
    values->changes = changes;
    values->capacity = values->count + 1;
    changes[values->count++] = (struct Change){(Symbol *)symbol, value_ref(symbol->value)};
}

/* A projection that is not there is one that must not be there when the snapshot comes back. */
static void gather_absent(Gathering *all) {
    Session *session = all->session;
    for (size_t i = 0; all->ok && session->bench.inputs.kind == INPUTS_X && i < 4; i++) {
        const Symbol *symbol = interp_symbol(&session->interp, projection_names[i], 2, all->err);
        if (!symbol) all->ok = false;
        else if (symbol->value.kind == VALUE_UNSET) gather(all, symbol);
    }
}

static bool take_snapshot(Session *session, const char *name, Error *err) {
    Snapshot *snapshot = snapshot_new(name, err);
    if (!snapshot) return false;
    settings_release(&snapshot->settings);
    settings_copy(&snapshot->settings, &session->bench.settings);
    inputs_copy(&snapshot->inputs, &session->bench.inputs);
    snapshot->run = run_ref(session->bench.run);
    Gathering all = {session, &snapshot->values, err, true};
    interp_each(&session->interp, gather, &all);
    gather_absent(&all);
    Snapshots *list = all.ok ? snapshots_with(session->bench.snapshots, snapshot, err) : NULL;
    if (!list) return snapshot_unref(snapshot), false;
    object_unref(session->bench.snapshots);
    session->bench.snapshots = list;
    return true;
}

static bool list_snapshots(Session *session, Error *err) {
    Text text;
    text_init(&text);
    for (size_t i = 0; session->bench.snapshots && i < session->bench.snapshots->count; i++) {
        const Snapshot *s = session->bench.snapshots->items[i];
        Text line;
        text_init(&line);
        text_format(&line, "%s: %s: ", s->name, s->run ? s->run->names : "nothing attended to");
        settings_write_line(&s->settings, &line);
        utf8_wrap_lines(&text, &line, (size_t)session->interp.host->columns);
    }
    if (!session->bench.snapshots)
        text_string(&text, "There are no snapshots. snapshot NAME puts inputs, settings and result "
                           "aside; restore NAME brings them back.\n");
    return host_write_text(session->interp.host, &text, err);
}

static bool snapshot(Session *session, CommandCall *call, Error *err) {
    if (command_at_end(call)) return list_snapshots(session, err);
    char *name = name_argument(call, err);
    bool named =
        name && (*name || (error_set(err, ERR_VALUE,
                                     "a snapshot needs a name, for example: snapshot before"),
                           command_error_at(call, call->next - 1, err)));
    bool ok = named && command_finish(call, err) && take_snapshot(session, name, err);
    mem_free(name);
    return ok;
}

/* ---- restore ---- */

/* `last` as it was; where nothing had been attended to, it is no result that the bench has no
 * longer. */
static bool restore_last(Session *session, Run *run, Error *err) {
    Symbol *last = interp_symbol(&session->interp, "last", 4, err);
    if (!last) return false;
    if (run)
        return interp_set(&session->interp, last,
                          (Value){.kind = VALUE_OBJECT, .object = &run->object}, err);
    bool of_bench = session->bench.run && last->value.kind == VALUE_OBJECT &&
                    last->value.object == &session->bench.run->object;
    return !of_bench || interp_unset(&session->interp, last, err);
}

static bool restore_values(Session *session, const Snapshot *snapshot, Error *err) {
    for (size_t i = 0; i < snapshot->values.count; i++) {
        struct Change *change = &snapshot->values.changes[i];
        bool unset = change->value.kind == VALUE_UNSET;
        if (unset && change->symbol->value.kind == VALUE_UNSET) continue;
        if (unset ? !interp_unset(&session->interp, change->symbol, err)
                  : !interp_set(&session->interp, change->symbol, change->value, err))
            return false;
    }
    return restore_last(session, snapshot->run, err);
}

static bool restore(Session *session, CommandCall *call, Error *err) {
    const Snapshot *from = known_argument(session, call, err);
    if (!from || !command_finish(call, err) || !restore_values(session, from, err)) return false;
    settings_release(&session->bench.settings);
    settings_copy(&session->bench.settings, &from->settings);
    inputs_release(&session->bench.inputs);
    inputs_copy(&session->bench.inputs, &from->inputs);
    run_unref(session->bench.run);
    session->bench.run = run_ref(from->run);
    session_apply_settings(session);
    return call->quiet || host_print(session->interp.host, err, "restored: %s\n", from->name);
}

/* ---- diff ---- */

/* One side of a diff: a snapshot, or the bench as it is now. */
typedef struct Side {
    const char *name;
    const Settings *settings;
    const Journal *values; /* NULL: the variables as they are */
    Run *run;
} Side;

/* Would the setting be typed alike? Without memory to tell, `out` has lost something. */
static bool is_alike(const SettingDef *row, const Settings *a, const Settings *b, Text *out) {
    Text one, other;
    text_init(&one);
    text_init(&other);
    setting_write(row, a, &one);
    setting_write(row, b, &other);
    bool alike = strcmp(one.data, other.data) == 0;
    if (one.failed || other.failed) out->failed = true;
    text_release(&one);
    text_release(&other);
    return alike;
}

static void write_settings_changes(const Side sides[2], Text *out) {
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (is_alike(row, sides[0].settings, sides[1].settings, out)) continue;
        setting_write_change(row, sides[0].settings, sides[1].settings, out);
        text_char(out, '\n');
    }
}

static Value value_in(const Side *side, const Symbol *symbol) {
    for (size_t i = 0; side->values && i < side->values->count; i++)
        if (side->values->changes[i].symbol == symbol) return side->values->changes[i].value;
    return symbol->value;
}

/* "3×4"; of what is no array its kind. */
static void write_kind(const Value *value, Text *out) {
    if (value->kind == VALUE_TENSOR) text_string(out, shape_words(&value->tensor->shape));
    else text_string(out, value->kind == VALUE_UNSET ? "nothing" : value_words(value));
}

/* "Q has changed", with what it was where that is another kind of thing. */
static void write_input_change(const Symbol *symbol, const Value *before, const Value *after,
                               Text *out) {
    bool alike = before->kind == VALUE_TENSOR && after->kind == VALUE_TENSOR &&
                 shape_equal(&before->tensor->shape, &after->tensor->shape);
    text_format(out, "%s has changed", symbol->name);
    if (!alike)
        text_string(out, " from "), write_kind(before, out), text_string(out, " to "),
            write_kind(after, out);
    text_char(out, '\n');
}

static void write_input_changes(const Side sides[2], Text *out) {
    for (size_t i = 0; i < sides[0].values->count; i++) {
        const Symbol *symbol = sides[0].values->changes[i].symbol;
        Value before = sides[0].values->changes[i].value, after = value_in(&sides[1], symbol);
        if (!value_equal(&before, &after)) write_input_change(symbol, &before, &after, out);
    }
}

static bool write_runs(Session *session, const Side sides[2], Text *out, Error *err) {
    Run *const runs[2] = {sides[0].run, sides[1].run};
    const char *const names[2] = {sides[0].name, sides[1].name};
    if (!runs[0] || !runs[1])
        return text_format(out, "%s has no result to compare: nothing was attended to\n",
                           runs[0] ? names[1] : names[0]),
               true;
    if (runs[0] == runs[1]) return text_string(out, "The result is the same.\n"), true;
    if (!run_need_trace(runs[0], err) || !run_need_trace(runs[1], err) ||
        !difference_write_measures(session, runs, names, out, err))
        return false;
    if (!difference_fits(runs))
        return utf8_wrap(out, "The sizes differ, so the weights have no cells in common.",
                         (size_t)session->interp.host->columns),
               true;
    return difference_write_divergences(session, runs, out, err) &&
           difference_write_moves(session, runs, out, err);
}

static Side side_of(const Snapshot *snapshot) {
    return (Side){snapshot->name, &snapshot->settings, &snapshot->values, snapshot->run};
}

static bool diff(Session *session, CommandCall *call, Error *err) {
    const Snapshot *first = known_argument(session, call, err);
    if (!first) return false;
    Side sides[2] = {side_of(first), {"now", &session->bench.settings, NULL, session->bench.run}};
    if (!command_at_end(call)) {
        const Snapshot *second = known_argument(session, call, err);
        if (!second) return false;
        sides[1] = side_of(second);
    }
    if (!command_finish(call, err)) return false;
    Text out;
    text_init(&out);
    write_settings_changes(sides, &out);
    write_input_changes(sides, &out);
    if (!write_runs(session, sides, &out, err)) return text_release(&out), false;
    return host_write_text(session->interp.host, &out, err);
}

/* ---- state ---- */

/* Those that steer attention always; the others where they are not as usual. */
static bool state(Session *session, CommandCall *call, Error *err) {
    Settings usual;
    Text text;
    if (!command_finish(call, err)) return false;
    settings_init(&usual);
    text_init(&text);
    const char *between = "";
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (!row->steers_attention && is_alike(row, &session->bench.settings, &usual, &text))
            continue;
        text_format(&text, "%sset %s ", between, row->name);
        setting_write(row, &session->bench.settings, &text);
        between = "; ";
    }
    text_char(&text, '\n');
    settings_release(&usual);
    return host_write_text(session->interp.host, &text, err);
}

#define EXAMPLE \
    "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nattend Q K V;\nsnapshot before\nset temperature " \
    "0.5\n"

const CommandDef snapshot_commands[] = {
    {{.name = "snapshot", .words = "", .takes = TAKES_SNAPSHOTS},
     snapshot,
     false,
     "snapshot [NAME]",
     "Puts the inputs, the settings and the result aside under a name; without a name it lists "
     "what was put aside.",
     EXAMPLE "snapshot after\nsnapshot",
     "restore diff undo"},
    {{.name = "restore", .words = "", .takes = TAKES_SNAPSHOTS},
     restore,
     false,
     "restore NAME",
     "Brings back the inputs, settings and result of a snapshot.",
     EXAMPLE "restore before",
     "snapshot undo"},
    {{.name = "diff", .words = "", .takes = TAKES_SNAPSHOTS},
     diff,
     false,
     "diff NAME [NAME]",
     "Says what changed between a snapshot and now, or a second snapshot: settings, inputs, "
     "entropies, the Jensen-Shannon divergence of each query, and the weights that moved most.",
     EXAMPLE "diff before",
     "snapshot compare"},
    {{.name = "state", .words = "", .shows = true},
     state,
     false,
     "state",
     "Prints the settings as one line that sets them again when it is typed.",
     "set temperature 0.5\nstate",
     "show snapshot"},
    {.syntax = {.name = NULL}},
};
