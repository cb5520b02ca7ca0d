/* undo, redo, reset, who, run, exit. */
#include "base/memory.h"
#include "base/utf8.h"
#include "io/file.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH_MAX = 30 };

/* ---- the way back ---- */

/* undo and redo swap whole steps: they must come before anything else that the entry does. */
static bool entry_is_untouched(const Session *session, const char *word, Error *err) {
    if (session->interp.journal.count == 0 && !session_entry_changed(session)) return true;
    error_set(err, ERR_VALUE, "%s cannot follow a change in the same entry", word);
    return error_hint(err, "put %s on a line of its own", word);
}

static bool walk(Session *session, CommandCall *call, Error *err) {
    const char *word = call->node->command.name;
    bool back = strcmp(word, "undo") == 0;
    if (!command_finish(call, err)) return error_hint(err, "%s takes one step at a time", word);
    if (!entry_is_untouched(session, word, err)) return false;
    const char *label = back ? undo_back(session) : undo_forward(session);
    if (!label)
        return error_set(err, ERR_VALUE,
                         back ? "there is nothing to undo" : "there is nothing to redo");
    session->walked += back ? -1 : 1;
    bench_state_release(&session->before);
    bench_state_take(session, &session->before);
    return call->quiet || host_print(session->interp.host, err, "%s %s\n",
                                     back ? "undone:" : "done again:", label);
}

typedef struct Forgetting {
    Session *session;
    Error *err;
    bool ok;
} Forgetting;

static void forget_variable(void *context, const Symbol *symbol) {
    Forgetting *all = context;
    all->ok = all->ok && interp_unset(&all->session->interp, (Symbol *)symbol, all->err);
}

static bool reset(Session *session, CommandCall *call, Error *err) {
    bool all = command_take(call, "all");
    if (!command_finish(call, err)) return false;
    Snapshots *kept = all ? NULL : object_ref(session->bench.snapshots);
    bench_release(&session->bench);
    bench_init(&session->bench);
    session->bench.snapshots = kept;
    session_apply_settings(session);
    session->interp.seed = 0;
    random_seed(&session->interp.random, 0);
    Forgetting forgetting = {session, err, true};
    if (all) interp_each(&session->interp, forget_variable, &forgetting);
    Symbol *last = forgetting.ok ? interp_symbol(&session->interp, "last", 4, err) : NULL;
    return last && (last->value.kind == VALUE_UNSET || interp_unset(&session->interp, last, err));
}

/* ---- who ---- */

typedef struct Names {
    const Symbol **items;
    size_t count, capacity;
    bool failed;
} Names;

static bool is_listed(const char *name) { return *name != '_' && strcmp(name, "last") != 0; }

static void collect_name(void *context, const Symbol *symbol) {
    Names *names = context;
    Error ignored;
    if (names->failed || !is_listed(symbol->name)) return;
    if (names->count == names->capacity) {
        size_t capacity = names->capacity ? names->capacity * 2 : 32;
        const Symbol **items = mem_resize((void *)names->items, capacity * sizeof *items, &ignored);
        if (!items) {
            names->failed = true;
            return;
        }
        names->items = items;
        names->capacity = capacity;
    }
    names->items[names->count++] = symbol;
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const Symbol *const *)a)->name, (*(const Symbol *const *)b)->name);
}

/* Of the column of names: that of the longest, within limits. */
static size_t names_width(const Names *names) {
    size_t most = 10;
    for (size_t i = 0; i < names->count; i++) {
        size_t width = utf8_width(names->items[i]->name, names->items[i]->length);
        if (width > most) most = width;
    }
    return most < NAME_WIDTH_MAX ? most : NAME_WIDTH_MAX;
}

/* "array 3×4", or a short value itself. */
static void write_variable(const Symbol *symbol, int digits, size_t width, Text *text) {
    const Value *value = &symbol->value;
    utf8_pad(text, symbol->name, symbol->length, width, false);
    text_string(text, "  ");
    text_string(text, value_kind_word(value));
    if (value->kind == VALUE_TENSOR) {
        text_format(text, " %s%s%s", shape_words(&value->tensor->shape),
                    value->tensor->dtype == DTYPE_DOUBLE ? "" : " ",
                    value->tensor->dtype == DTYPE_DOUBLE ? "" : dtype_name(value->tensor->dtype));
    } else if (value->kind == VALUE_LIST || value->kind == VALUE_TUPLE) {
        text_format(text, " of %zu", value->list->count);
    } else if (value->kind == VALUE_NUMBER || value->kind == VALUE_BOOL ||
               (value->kind == VALUE_STRING && value->string->length <= 40)) {
        text_char(text, ' ');
        value_write(text, value, digits, true);
    }
    text_char(text, '\n');
}

static bool who(Session *session, CommandCall *call, Error *err) {
    if (!command_finish(call, err))
        return error_hint(err, "who lists the variables, show NAME shows one");
    Names names = {NULL, 0, 0, false};
    interp_each(&session->interp, collect_name, &names);
    if (names.count) qsort((void *)names.items, names.count, sizeof *names.items, by_name);
    Text text;
    text_init(&text);
    if (!names.count) text_string(&text, "no variables yet; for example: X = randn(3, 4)\n");
    for (size_t i = 0; i < names.count; i++)
        write_variable(names.items[i], session->interp.digits, names_width(&names), &text);
    if (names.failed) text.failed = true;
    bool ok = host_page_text(session->interp.host, &text, err);
    mem_free((void *)names.items);
    return ok;
}

/* ---- scripts and leaving ---- */

static bool run(Session *session, CommandCall *call, Error *err) {
    Value path;
    if (!command_string(call, "the path of a script in quotes", &path, err)) return false;
    Text joined;
    text_init(&joined);
    path_join(&joined, session->interp.directory, path.string->data);
    bool ok = command_finish(call, err) && text_ok(&joined, err) &&
              session_run_nested(session, joined.data, err);
    text_release(&joined);
    value_release(&path);
    return ok;
}

static bool leave(Session *session, CommandCall *call, Error *err) {
    (void)session;
    return command_finish(call, err) && error_set(err, ERR_EXIT, "exit");
}

const CommandDef session_commands[] = {
    {{.name = "undo", .words = ""},
     walk,
     false,
     "undo",
     "Takes back the last entry: variables, settings, the result and the generator come back. What "
     "was printed or written stays. The last 1,000 entries can be taken back.",
     "x = 1\nx = 2\nundo\nx  # -> 1",
     "redo reset"},
    {{.name = "redo", .words = ""},
     walk,
     false,
     "redo",
     "Does again what undo took back.",
     "x = 1\nx = 2\nundo\nredo\nx  # -> 2",
     "undo"},
    {{.name = "reset", .words = "all"},
     reset,
     false,
     "reset   ·   reset all",
     "Empties the bench: settings at their defaults, no inputs, no result, nothing that sweep or "
     "compare found. Variables and snapshots stay; reset all deletes them too.",
     "set temperature 3\nreset\nshow temperature",
     "undo unset"},
    {{.name = "who", .words = ""},
     who,
     false,
     "who",
     "Lists the variables with their kinds and shapes.",
     "A = zeros((2, 3))\nwho",
     "show"},
    {{.name = "run", .words = "", .expression = true, .takes = TAKES_FILE},
     run,
     false,
     "run \"file.attn\"",
     "Runs a script in this session: its variables and settings stay. Of a Markdown document (.md) "
     "the cells are run, which are the code blocks marked attn. "
     "Paths in it start from its folder.",
     "try: run \"mine.attn\"\nexcept file: print(\"there is no mine.attn here\")\n# -> there is no "
     "mine.attn here",
     "load"},
    {{.name = "exit", .words = ""},
     leave,
     false,
     "exit",
     "Leaves. Ctrl-D does too.",
     "x = 1",
     "quit"},
    {{.name = "quit", .words = ""},
     leave,
     false,
     "quit",
     "Leaves. Ctrl-D does too.",
     "x = 1",
     "exit"},
    {.syntax = {.name = NULL}},
};
