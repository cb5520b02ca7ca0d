/* undo, redo, reset, who, more, run, exit. */
#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "library/file_path.h"
#include "session/models/inspection.h"
#include "session/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the way back ---- */

/* Runs undo and redo. */
static bool step_through_entries(Session *session, CommandCall *call, Error *err) {
    const char *word = call->node->command.name;
    bool back = strcmp(word, "undo") == 0;
    if (!command_finish(call, err)) return error_hint(err, "%s takes one step at a time", word);
    /* A step is swapped as a whole, so nothing else in the entry may come before it. */
    if (session->interp.journal.count > 0 || session_entry_changed(session)) {
        error_set(err, ERR_VALUE, "%s cannot follow a change in the same entry", word);
        return error_hint(err, "put %s on a line of its own", word);
    }
    const char *label = back ? undo_back(session) : undo_forward(session);
    if (!label) return error_set(err, ERR_VALUE, "there is nothing to %s", word);
    session->walked += back ? -1 : 1;
    bench_state_release(&session->before);
    bench_state_take(session, &session->before);
    return call->quiet ||
           host_print(session->interp.host, err, "%s %s\n", back ? "undone:" : "redone:", label);
}

static bool reset(Session *session, CommandCall *call, Error *err) {
    bool all = command_take(call, "all");
    if (!command_finish(call, err) || !inspection_is_free(session, err)) return false;
    Snapshots *kept = all ? NULL : object_ref(session->bench.snapshots);
    Inputs inputs = {.kind = INPUTS_NONE};
    inputs_replace(&session->bench.inputs, &inputs); /* X may still be attend's own */
    inputs_copy(&inputs, &session->bench.inputs);
    Settings settings;
    settings_copy(&settings, &session->settings_at_start);
    settings.language = session->bench.settings.language; /* however it was chosen */
    bench_release(&session->bench);
    session->bench = (Bench){.settings = settings, .inputs = inputs};
    session->bench.snapshots = kept;
    session_apply_settings(session);
    session->interp.seed = settings.seed;
    random_seed(&session->interp.random, settings.seed);
    size_t count = 0;
    LocalMemory Symbol **variables = all ? session_variables(session, &count, err) : NULL;
    bool ok = variables || !all;
    for (size_t i = 0; ok && i < count; i++) ok = interp_unset(&session->interp, variables[i], err);
    return ok && session_set_variable(session, "last", NULL, err);
}

/* ---- who ---- */

static int by_name(const void *a, const void *b) {
    return strcmp((*(Symbol *const *)a)->name, (*(Symbol *const *)b)->name);
}

/* Writes "A  array 3×4"; numbers and short texts are shown themselves, objects with the memory that
 * they take. */
static void write_variable(const Symbol *symbol, int digits, size_t width, Text *text) {
    enum { SHORT_MOST = 40 };
    const Value *value = &symbol->value;
    utf8_pad(text, symbol->name, symbol->length, width, false);
    text_string(text, "  ");
    if (value->kind == VALUE_LIST || value->kind == VALUE_TUPLE)
        text_say(text, "%s of %zu", value_kind_word(value), value->list->count);
    else text_string(text, tr(value_kind_word(value)));
    switch (value->kind) {
    case VALUE_TENSOR:
        text_format(text, " %s", shape_words(&value->tensor->shape));
        if (value->tensor->dtype != DTYPE_DOUBLE)
            text_format(text, " %s", dtype_name(value->tensor->dtype));
        break;
    case VALUE_STRING:
        if (value->string->length > SHORT_MOST) break;
        /* fall through */
    case VALUE_NUMBER:
    case VALUE_BOOL:
        text_char(text, ' ');
        value_write(text, value, digits, true);
        break;
    case VALUE_OBJECT:
        if (!value->object->type->bytes) break;
        text_char(text, ' ');
        size_t bytes = value->object->type->bytes(value->object, NULL);
        const double kilo = 1e3, mega = 1e6;
        if ((double)bytes < mega) text_format(text, "%.0f kB", ceil((double)bytes / kilo));
        else text_format(text, "%.1f MB", (double)bytes / mega);
        break;
    default: break;
    }
    text_char(text, '\n');
}

static bool who(Session *session, CommandCall *call, Error *err) {
    enum { NAME_LEAST = 10, NAME_MOST = 30 };
    if (!command_finish(call, err))
        return error_hint(err, "who lists the variables, show NAME shows one");
    size_t count, listed = 0, width = NAME_LEAST;
    LocalMemory Symbol **list = session_variables(session, &count, err);
    if (!list) return false;
    for (size_t i = 0; i < count; i++)
        if (*list[i]->name != '_' && strcmp(list[i]->name, "last") != 0) list[listed++] = list[i];
    qsort(list, listed, sizeof *list, by_name);

    for (size_t i = 0; i < listed; i++)
        width = larger(width, utf8_width(list[i]->name, list[i]->length));
    width = smaller(width, NAME_MOST);
    Text text = TEXT_EMPTY;
    if (!listed) text_say(&text, "no variables yet; for example: X = randn(3, 4)\n");
    for (size_t i = 0; i < listed; i++)
        write_variable(list[i], session->interp.digits, width, &text);
    return session_write_text(session, true, &text, err);
}

/* Shows what the last screen left out, of which there may again be more. */
static bool more(Session *session, CommandCall *call, Error *err) {
    if (!command_finish(call, err)) return false;
    Text rest = session->left_out;
    text_init(&session->left_out);
    session->transcript.skip = true; /* the transcript has all of it already */
    if (rest.length) return session_write_text(session, true, &rest, err);
    return host_print(session->interp.host, err, "nothing was left out\n");
}

/* ---- scripts and leaving ---- */

static bool run_script(Session *session, CommandCall *call, Error *err) {
    LocalValue path = VALUE_MISSING;
    LocalText joined = TEXT_EMPTY;
    return command_string(call, "the path of a script in quotes", &path, err) &&
           command_finish(call, err) &&
           file_path_to_read(&session->interp, path.string->data, &joined, err) &&
           session_run_nested(session, joined.data, err);
}

static bool leave(Session *session, CommandCall *call, Error *err) {
    (void)session;
    return command_finish(call, err) && error_set(err, ERR_EXIT, "exit");
}

/* clang-format off */
const CommandDef session_commands[] = {
    {{.name = "undo", .words = ""}, step_through_entries, false, "undo",
     "Takes back the last entry: variables, settings, the result and the generator come back. "
     "What was printed or written stays. The last 1,000 entries can be taken back.",
     "x = 1\nx = 2\nundo\nx  # -> 1", "redo reset"},
    {{.name = "redo", .words = ""}, step_through_entries, false, "redo",
     "Does again what undo took back.",
     "x = 1\nx = 2\nundo\nredo\nx  # -> 2", "undo"},
    {{.name = "reset", .words = "all"}, reset, false, "reset   ·   reset all",
     "Empties the bench: settings as they were at the start, the language as it is, no inputs, no "
     "result, nothing that sweep or compare found. Variables and snapshots stay; reset all deletes "
     "them too. At the start settings have their defaults, or what the command line and init.attn "
     "say.",
     "set temperature 3\nreset\nshow temperature", "undo unset"},
    {{.name = "who", .words = ""}, who, false, "who",
     "Lists the variables with their kinds and shapes.",
     "A = zeros((2, 3))\nwho", "show"},
    {{.name = "more", .words = "", .shows = true}, more, false, "more",
     "Shows the lines that the last screen left out. At a terminal what a command or a value shows "
     "is cut to the screen; print, help, files and pipes are not cut.",
     "X = randn(3, 4)\nattend X\ntrace 1\nmore", "trace show"},
    {{.name = "run", .words = "", .expression = true, .takes = TAKES_FILE}, run_script, false,
     "run \"file.attn\"",
     "Runs a script in this session: its variables and settings stay. Of a Markdown document "
     "(.md) the cells are run, which are the code blocks marked attn. Paths in it start from its "
     "folder.",
     "try: run \"mine.attn\"\nexcept file: print(\"there is no mine.attn here\")\n# -> there is "
     "no mine.attn here", "load"},
    {{.name = "exit", .words = ""}, leave, false, "exit",
     "Leaves. Ctrl-D does too.",
     "x = 1", "quit"},
    {{.name = "quit", .words = ""}, leave, false, "quit",
     "Leaves. Ctrl-D does too.",
     "x = 1", "exit"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
