/* snapshot, restore, diff, state. */
#include "base/memory.h"
#include "base/translate.h"
#include "session/bench/compare.h"
#include "session/bench/run_words.h"

#include <stdio.h>
#include <string.h>

/* ---- life cycle ---- */

static void snapshot_unref(Snapshot *snapshot) {
    if (--snapshot->refs > 0) return;
    bench_release(&snapshot->bench);
    journal_release(&snapshot->values);
    mem_free(snapshot->name);
    mem_free(snapshot);
}

static void snapshots_free(Object *object) {
    Snapshots *list = (Snapshots *)object;
    for (size_t i = 0; i < list->count; i++) snapshot_unref(list->items[i]);
    mem_free(list);
}

static size_t snapshots_bytes(const Object *object, const Object *other) {
    const Snapshots *list = (const Snapshots *)object, *others = (const Snapshots *)other;
    size_t bytes = 0;
    for (size_t i = 0; i < list->count; i++) {
        const Snapshot *snapshot = list->items[i];
        bool shared = false;
        for (size_t j = 0; others && j < others->count; j++)
            shared = shared || others->items[j] == snapshot;
        if (!shared) bytes += run_bytes(snapshot->bench.run) + journal_bytes(&snapshot->values);
    }
    return bytes;
}

static const ObjectType snapshots_type = {
    .name = "snapshots", .free = snapshots_free, .bytes = snapshots_bytes};

/* ---- names ---- */

/* Takes a plain name or a text in quotes: new, released with mem_free. */
static char *name_argument(CommandCall *call, Error *err) {
    const char *name = command_take_name(call);
    if (name) return mem_string(name, strlen(name), err);
    LocalValue value = VALUE_MISSING;
    if (!command_string(call, "a name", &value, err)) return NULL;
    return mem_string(value.string->data, value.string->length, err);
}

/* Takes the name of a snapshot from a call: borrowed; NULL and an error when there is none such. */
static const Snapshot *snapshot_argument(Session *session, CommandCall *call, Error *err) {
    enum { NAMES_MOST = 60 };
    const Snapshots *list = session->bench.snapshots;
    const char *names[NAMES_MOST + 1];
    size_t count = 0;
    LocalMemory char *name = name_argument(call, err);
    const Snapshot *snapshot = NULL;
    for (size_t i = 0; name && list && i < list->count; i++) {
        if (strcmp(list->items[i]->name, name) == 0) snapshot = list->items[i];
        if (count < NAMES_MOST) names[count++] = list->items[i]->name;
    }
    names[count] = NULL;
    if (name && !snapshot) {
        const char *near = nearest_word(name, names);
        error_set(err, ERR_NAME, "there is no snapshot %.60s", name);
        if (near) error_hint(err, "did you mean %s?", near);
        else if (count) error_hint(err, "snapshot lists them");
        else error_hint(err, "make one first: snapshot %s", name);
        command_error_last(call, err);
    }
    return snapshot;
}

/* ---- snapshot ---- */

static bool keep_value(Journal *values, Symbol *symbol, Error *err) {
    struct Change *changes =
        mem_grow(values->changes, values->count, &values->capacity, sizeof *changes, err);
    if (!changes) return false;
    values->changes = changes;
    struct Change kept = {.symbol = symbol}; /* a list may be changed later, its copy is not */
    if (!value_copy_deep(&symbol->value, false, &kept.value, err)) return false;
    changes[values->count++] = kept;
    return true;
}

/* Keeps the variables that are an input, a projection of X or an array of the mask. */
static bool keep_values(Session *session, Journal *values, Error *err) {
    const Bench *bench = &session->bench;
    size_t count;
    Symbol **variables = session_variables(session, &count, err);
    bool ok = variables != NULL;
    for (size_t i = 0; ok && i < count; i++)
        if (inputs_use(&bench->inputs, variables[i]) ||
            settings_name(&bench->settings, variables[i]))
            ok = keep_value(values, variables[i], err);
    mem_free(variables);
    /* A projection that is not there must not be there when the snapshot comes back. */
    for (size_t i = 0; ok && bench->inputs.kind == INPUTS_X && i < 4; i++) {
        Symbol *symbol = interp_symbol(&session->interp, projection_names[i], 2, err);
        ok = symbol && (symbol->value.kind != VALUE_UNSET || keep_value(values, symbol, err));
    }
    return ok;
}

static bool take_snapshot(Session *session, const char *name, Error *err) {
    Bench *bench = &session->bench;
    Snapshot *snapshot = mem_zeroed(1, sizeof *snapshot, err);
    if (!snapshot) return false;
    snapshot->refs = 1;
    bench_take_run(&snapshot->bench, bench);
    snapshot->name = mem_string(name, strlen(name), err);
    bool ok = snapshot->name && keep_values(session, &snapshot->values, err);

    /* A new list ends with it, and leaves out an older one of the same name. */
    const Snapshots *list = bench->snapshots;
    size_t count = list ? list->count : 0;
    Snapshots *longer =
        ok ? mem_alloc(sizeof *longer + (count + 1) * sizeof *longer->items, err) : NULL;
    if (!longer) {
        snapshot_unref(snapshot);
        return false;
    }
    longer->object = (Object){.refs = 1, .type = &snapshots_type};
    longer->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list->items[i]->name, name) == 0) continue;
        list->items[i]->refs++;
        longer->items[longer->count++] = list->items[i];
    }
    longer->items[longer->count++] = snapshot;
    object_unref(bench->snapshots);
    bench->snapshots = longer;
    return true;
}

static bool snapshot(Session *session, CommandCall *call, Error *err) {
    if (command_at_end(call)) {
        const Snapshots *list = session->bench.snapshots;
        Printout shown = PRINTOUT(session);
        for (size_t i = 0; list && i < list->count; i++) {
            const Bench *bench = &list->items[i]->bench;
            text_format(&shown.line, "%s: ", list->items[i]->name);
            if (bench->run) run_heading_write_inputs(session, bench->run, &shown.line);
            else text_string(&shown.line, "nothing attended to");
            text_string(&shown.line, ": ");
            settings_write_line(&bench->settings, NULL, &shown.line);
            printout_wrap(&shown);
        }
        if (!list)
            text_string(&shown.line, "There are no snapshots. snapshot NAME puts inputs, settings "
                                     "and result aside; restore NAME brings them back.");
        return printout_show(&shown, true, err);
    }
    LocalMemory char *name = name_argument(call, err);
    if (!name) return false;
    if (*name) return command_finish(call, err) && take_snapshot(session, name, err);
    error_set(err, ERR_VALUE, "a snapshot needs a name, for example: snapshot before");
    return command_error_last(call, err);
}

/* ---- restore ---- */

static bool restore(Session *session, CommandCall *call, Error *err) {
    Bench *bench = &session->bench;
    const char *language = bench->settings.language;
    const Snapshot *from = snapshot_argument(session, call, err);
    if (!from || !command_finish(call, err)) return false;
    for (size_t i = 0; i < from->values.count; i++) {
        const struct Change *change = &from->values.changes[i];
        const char *name = change->symbol->name;
        LocalValue value = VALUE_MISSING;
        if (!value_copy_deep(&change->value, false, &value, err) ||
            !session_set_variable(session, name, value.kind == VALUE_UNSET ? NULL : &value, err))
            return false;
    }

    if (from->bench.run) {
        Value last = value_object(&from->bench.run->object);
        if (!session_set_variable(session, "last", &last, err)) return false;
    } else {
        /* Nothing had been attended to: `last` must not be a result that is no longer there. */
        const Symbol *last = interp_find(&session->interp, "last");
        bool stale = last && bench->run && run_of(&last->value) == bench->run;
        if (stale && !session_set_variable(session, "last", NULL, err)) return false;
    }
    bench_take_run(bench, &from->bench);
    bench->settings.language = language; /* the person's, as with reset */
    session_apply_settings(session);
    return call->quiet || host_print(session->interp.host, err, "restored: %s\n", from->name);
}

/* ---- diff, state ---- */

/* Writes the shape of an array, "3×4", or the kind of any other value. */
static void write_kind(const Value *value, Text *out) {
    if (value->kind == VALUE_TENSOR) text_string(out, shape_words(&value->tensor->shape));
    else if (value->kind == VALUE_UNSET) text_string(out, "nothing");
    else text_string(out, value_words(value));
}

static bool write_run_changes(Session *session, const Snapshot *first, const Snapshot *second,
                              Text *out, Error *err) {
    const ComparedRuns pair = {.count = 2,
                               .names = {first->name, second->name},
                               .runs = {first->bench.run, second->bench.run}};
    if (!first->bench.run || !second->bench.run) {
        text_say(out, "%s has no result to compare: nothing was attended to\n",
                 first->bench.run ? second->name : first->name);
        return true;
    }
    if (first->bench.run == second->bench.run) {
        text_say(out, "The result is the same.\n");
        return true;
    }
    if (!compared_runs_need_traces(&pair, err) ||
        !compared_write_measures(session, &pair, out, err))
        return false;
    if (!compared_runs_fit(&pair)) {
        text_say_wrapped(out, "The sizes differ, so the weights have no cells in common.",
                         session_columns(session));
        return true;
    }
    return compared_write_divergences(session, &pair, out, err) &&
           compared_write_largest(session, &pair, out, err);
}

/* Writes "a: X 4×8" and "now: Y 4×8", whose results are compared, where their inputs are others. */
static void write_inputs(const Session *session, const Snapshot *first, const Snapshot *second,
                         Text *out) {
    const Snapshot *both[] = {first, second};
    const Run *runs[] = {first->bench.run, second->bench.run};
    Text lines[] = {TEXT_FOR(out), TEXT_FOR(out)};
    if (!runs[0] || !runs[1]) return;
    bool of_model = runs[0]->origin.what || runs[1]->origin.what;
    for (size_t i = 0; i < 2; i++) run_heading_write_inputs(session, runs[i], &lines[i]);
    bool alike = of_model ? strcmp(lines[0].data, lines[1].data) == 0
                          : inputs_have_same_items(&first->bench.inputs, &second->bench.inputs);
    for (size_t i = 0; i < 2; i++) {
        LocalText line = TEXT_FOR(out);
        text_format(&line, "%s: ", both[i]->name);
        tr_write(&line, lines[i].data);
        if (!alike) text_say_lines(out, &line, session_columns(session));
        text_release_for(&lines[i], out);
    }
}

static bool diff(Session *session, CommandCall *call, Error *err) {
    /* The bench as it is; without values: the variables as they are. */
    char name_of_now[40];
    snprintf(name_of_now, sizeof name_of_now, "%s", tr("now"));
    const Snapshot now = {.name = name_of_now, .bench = session->bench};
    const Snapshot *first = snapshot_argument(session, call, err), *second = &now;
    if (first && !command_at_end(call)) second = snapshot_argument(session, call, err);
    if (!first || !second || !command_finish(call, err)) return false;

    Text out = TEXT_EMPTY;
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (setting_is_alike(row, &first->bench.settings, &second->bench.settings, &out)) continue;
        setting_write_change(row, &first->bench.settings, &second->bench.settings, &out);
        text_char(&out, '\n');
    }
    write_inputs(session, first, second, &out);
    /* Writes "Q has changed" for each input of both that did; with both shapes or kinds where they
     * differ. */
    const Journal *values = &second->values;
    for (size_t i = 0; i < first->values.count; i++) {
        const Symbol *symbol = first->values.changes[i].symbol;
        Value before = first->values.changes[i].value, after = symbol->value;
        for (size_t j = 0; j < values->count; j++)
            if (values->changes[j].symbol == symbol) after = values->changes[j].value;
        bool used = inputs_use(&second->bench.inputs, symbol) ||
                    settings_name(&second->bench.settings, symbol);
        if (!used || value_equal(&before, &after)) continue;
        LocalText change = TEXT_FOR(&out);
        text_format(&change, "%s has changed", symbol->name);
        if (before.kind != VALUE_TENSOR || after.kind != VALUE_TENSOR ||
            !shape_equal(&before.tensor->shape, &after.tensor->shape)) {
            text_string(&change, " from ");
            write_kind(&before, &change);
            text_string(&change, " to ");
            write_kind(&after, &change);
        }
        text_say_lines(&out, &change, session_columns(session));
    }
    LocalText stale = TEXT_FOR(&out), heading = TEXT_FOR(&out);
    if (second == &now && now.bench.run) run_heading_write_stale(session, now.bench.run, &stale);
    if (stale.length) run_heading_write(session, now.bench.run, &heading);
    text_say_lines(&out, &heading, session_columns(session));
    bool ok = write_run_changes(session, first, second, &out, err);
    return session_write_text(session, ok, &out, err);
}

/* The settings that steer attention always; the others where they are not at their defaults. */
static bool state(Session *session, CommandCall *call, Error *err) {
    LocalSettings usual;
    Text text = TEXT_EMPTY;
    settings_init(&usual);
    if (!command_finish(call, err)) return false;
    const char *between = "";
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (!row->steers_attention &&
            setting_is_alike(row, &session->bench.settings, &usual, &text))
            continue;
        text_format(&text, "%sset %s ", between, row->name);
        setting_write(row, &session->bench.settings, &text);
        between = "; ";
    }
    text_char(&text, '\n');
    return session_write_text(session, true, &text, err);
}

#define EXAMPLE_SNAPSHOT EXAMPLE_INPUTS "snapshot before\nset temperature 0.5\n"

/* clang-format off */
const CommandDef snapshot_commands[] = {
    {{.name = "snapshot", .words = "", .takes = TAKES_SNAPSHOTS}, snapshot, false,
     "snapshot [NAME]",
     "Puts the inputs, the settings and the result aside under a name; without a name it lists "
     "what was put aside.",
     EXAMPLE_SNAPSHOT "snapshot after\nsnapshot", "restore diff undo"},
    {{.name = "restore", .words = "", .takes = TAKES_SNAPSHOTS}, restore, false, "restore NAME",
     "Brings back the inputs, settings and result of a snapshot.",
     EXAMPLE_SNAPSHOT "restore before", "snapshot undo"},
    {{.name = "diff", .words = "", .takes = TAKES_SNAPSHOTS}, diff, false, "diff NAME [NAME]",
     "Says what changed between a snapshot and now, or a second snapshot: settings, inputs, "
     "entropies, the Jensen-Shannon divergence of each query, and the weights that moved most.",
     EXAMPLE_SNAPSHOT "diff before", "snapshot compare"},
    {{.name = "state", .words = "", .shows = true}, state, false, "state",
     "Prints the settings as one line that sets them again when it is typed.",
     "set temperature 0.5\nstate", "show snapshot"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
