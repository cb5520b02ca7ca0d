/* diff, state: what changed since a snapshot, and the settings as one line. */
#include "base/utf8.h"
#include "session/bench/difference.h"
#include "session/bench/snapshot.h"

/* One side of a diff: a snapshot, or the bench as it is now. */
typedef struct DiffSide {
    const char *name;
    const Settings *settings;
    const Journal *values; /* NULL: the variables as they are */
    Run *run;
} DiffSide;

static DiffSide side_of(const Snapshot *snapshot) {
    return (DiffSide){snapshot->name, &snapshot->settings, &snapshot->values, snapshot->run};
}

/* Writes the shape of an array, "3×4", or the kind of any other value. */
static void write_kind(const Value *value, Text *out) {
    if (value->kind == VALUE_TENSOR) text_string(out, shape_words(&value->tensor->shape));
    else if (value->kind == VALUE_UNSET) text_string(out, "nothing");
    else text_string(out, value_words(value));
}

/* Writes "Q has changed" for each input that did; with both shapes or kinds where they differ. */
static void write_input_changes(const DiffSide sides[2], Text *out) {
    const Journal *values = sides[1].values;
    for (size_t i = 0; i < sides[0].values->count; i++) {
        const Symbol *symbol = sides[0].values->changes[i].symbol;
        Value before = sides[0].values->changes[i].value, after = symbol->value;
        for (size_t j = 0; values && j < values->count; j++)
            if (values->changes[j].symbol == symbol) after = values->changes[j].value;
        if (value_equal(&before, &after)) continue;
        text_format(out, "%s has changed", symbol->name);
        if (before.kind != VALUE_TENSOR || after.kind != VALUE_TENSOR ||
            !shape_equal(&before.tensor->shape, &after.tensor->shape)) {
            text_string(out, " from ");
            write_kind(&before, out);
            text_string(out, " to ");
            write_kind(&after, out);
        }
        text_char(out, '\n');
    }
}

static bool write_run_changes(Session *session, const DiffSide sides[2], Text *out, Error *err) {
    Run *const runs[2] = {sides[0].run, sides[1].run};
    const char *const names[2] = {sides[0].name, sides[1].name};
    if (!runs[0] || !runs[1]) {
        text_format(out, "%s has no result to compare: nothing was attended to\n",
                    runs[0] ? names[1] : names[0]);
        return true;
    }
    if (runs[0] == runs[1]) {
        text_string(out, "The result is the same.\n");
        return true;
    }
    if (!run_need_trace(runs[0], err) || !run_need_trace(runs[1], err) ||
        !difference_write_measures(session, runs, names, out, err))
        return false;
    if (!difference_fits(runs)) {
        utf8_wrap(out, "The sizes differ, so the weights have no cells in common.",
                  (size_t)session->interp.host->columns);
        return true;
    }
    return difference_write_divergences(session, runs, out, err) &&
           difference_write_largest(session, runs, out, err);
}

static bool diff(Session *session, CommandCall *call, Error *err) {
    const Snapshot *first = snapshot_argument(session, call, err);
    if (!first) return false;
    DiffSide now = {"now", &session->bench.settings, NULL, session->bench.run};
    DiffSide sides[2] = {side_of(first), now};
    if (!command_at_end(call)) {
        const Snapshot *second = snapshot_argument(session, call, err);
        if (!second) return false;
        sides[1] = side_of(second);
    }
    if (!command_finish(call, err)) return false;

    Text out = TEXT_EMPTY;
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (setting_is_alike(row, sides[0].settings, sides[1].settings, &out)) continue;
        setting_write_change(row, sides[0].settings, sides[1].settings, &out);
        text_char(&out, '\n');
    }
    write_input_changes(sides, &out);
    bool ok = write_run_changes(session, sides, &out, err);
    return session_write_text(session, ok, &out, err);
}

/* The settings that steer attention always; the others where they are not at their defaults. */
static bool state(Session *session, CommandCall *call, Error *err) {
    Settings usual;
    Text text = TEXT_EMPTY;
    if (!command_finish(call, err)) return false;
    settings_init(&usual);
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
    settings_release(&usual);
    return session_write_text(session, true, &text, err);
}

/* clang-format off */
const CommandDef diff_commands[] = {
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
