/* The life of an interpreter, its entries, and calls from C. */
#include "base/memory.h"
#include "lang/eval/eval.h"
#include "lang/remedy.h"
#include "lang/parser.h"

#include <assert.h>
#include <string.h>
#include <sys/resource.h>

/* ---- life cycle ---- */

static bool add_builtins(Interp *interp, Error *err) {
    size_t rows = 0;
    for (const BuiltinDef *const *table = interp->tables; table && *table; table++) {
        for (const BuiltinDef *row = *table; row->name; row++, rows++) {
            Symbol *symbol = interp_symbol(interp, row->name, strlen(row->name), err);
            if (!symbol) return false;
            if (!row->receiver) symbol->builtin = row;
            else if (strcmp(row->receiver, "string") == 0) symbol->string_method = row;
            else if (strcmp(row->receiver, "record") == 0) symbol->record_method = row;
            else if (strcmp(row->receiver, "set") == 0) symbol->set_method = row;
            else if (strcmp(row->receiver, "list") == 0) symbol->list_method = row;
            else symbol->object_method = row;
        }
    }
    interp->signature_capacity = 64;
    while (interp->signature_capacity < 2 * rows + 64) interp->signature_capacity *= 2;
    interp->signatures = mem_zeroed(interp->signature_capacity, sizeof(Signature *), err);
    return interp->signatures != NULL;
}

/* The stack for which INTERP_DEPTH_MAX is made; on a smaller one fewer levels have room. */
static int depth_for_stack(void) {
    const double made_for = 8 << 20, kept = 128 << 10; /* for what the deepest level calls */
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY)
        return INTERP_DEPTH_MAX;
    double share = ((double)stack.rlim_cur - kept) / (made_for - kept);
    return share >= 1 ? INTERP_DEPTH_MAX : share > 0 ? (int)(INTERP_DEPTH_MAX * share) : 0;
}

bool interp_init(Interp *interp, Host *host, const BuiltinDef *const *tables,
                 const InterpHooks *hooks, Error *err) {
    *interp = (Interp){.host = host, .digits = 4, .tables = tables};
    journal_begin(interp);
    interp->depth_max = depth_for_stack();
    if (hooks) interp->hooks = *hooks;
    random_seed(&interp->random, 0);
    if (symbols_grow(interp, err) && add_builtins(interp, err) && classes_init(interp, err))
        return true;
    interp_release(interp);
    return false;
}

void interp_release(Interp *interp) {
    journal_release(&interp->journal);
    classes_release(interp);
    symbols_release(interp);
    signatures_release(interp);
    tensor_unref(interp->scratch);
    interp->scratch = NULL;
    journal_end(interp);
    values_collect();
    while (values_free_left(false)) {} /* after Ctrl-C each call frees a part */
}

/* ---- entries ---- */

/* Forgets what was changed between two entries, as it belongs to neither. */
void interp_begin_entry(Interp *interp) {
    values_free_left(false);
    value_release(&interp->raised);
    journal_release(&interp->journal);
    journal_begin(interp);
}

Journal interp_end_entry(Interp *interp) {
    Journal journal = interp->journal;
    interp->journal = (Journal){0};
    journal_begin(interp);
    return journal;
}

/* ---- notes ---- */

/* False also where there is no room for the topic. */
static bool is_first(Interp *interp, const char *topic, bool in_session) {
    for (Noted *noted = interp->noted; noted < interp->noted + NOTED_MAX; noted++) {
        if (!noted->topic) noted->topic = topic;
        if (strcmp(noted->topic, topic) != 0) continue;
        if (in_session ? noted->entry != 0 : noted->entry == interp->entry) return false;
        noted->entry = interp->entry;
        return true;
    }
    return false;
}

bool interp_first_in_session(Interp *interp, const char *topic) {
    return is_first(interp, topic, true);
}

bool interp_first_in_entry(Interp *interp, const char *topic) {
    return is_first(interp, topic, false);
}

/* ---- running ---- */

/* A frame of the top level. */
static bool frame_init(Frame *frame, Interp *interp, Chunk *chunk, Error *err) {
    *frame = (Frame){.chunk = chunk_ref(chunk), .interp = interp, .result = VALUE_NOTHING};
    frame->slots = mem_zeroed((size_t)chunk->slot_count, sizeof *frame->slots, err);
    if (!frame->slots) chunk_unref(chunk);
    return frame->slots != NULL;
}

static void frame_release(Frame *frame) {
    for (int i = 0; i < frame->chunk->slot_count; i++) drop(&frame->slots[i]);
    mem_free(frame->slots);
    drop(&frame->result);
    chunk_unref(frame->chunk);
}

/* Writes the files that the entry opened for writing and has not closed. */
static bool write_open_files(Interp *interp, Error *err) {
    const Value *imported = &interp->imported, *io = NULL, *files = NULL;
    if (interp->journal.count == 0) return true; /* undo may bring files back that are written */
    if (imported->kind == VALUE_RECORD) io = record_get(imported->record, "io");
    if (io) files = record_get(io->record, "_unwritten");
    if (!files || files->kind != VALUE_LIST || files->list->count == 0) return true;
    LocalValue nothing = VALUE_MISSING;
    const Value *write_all = record_get(io->record, "_write_all");
    return write_all && interp_call(interp, write_all, NULL, 0, &nothing, err);
}

bool interp_run_entry(Interp *interp, Chunk *chunk, int index, Error *err) {
    Error unseen = {.kind = ERR_NONE}; /* `try` reads the error, so there must be one */
    if (!err) err = &unseen;
    Frame frame;
    const Entry *entry = &chunk->entries[index];
    if (!frame_init(&frame, interp, chunk, err)) return false;
    take_late(NULL); /* one that was kept between two entries, when nothing was left to report it */
    bool ok = true;
    int digits = interp->digits;
    if (chunk->python) interp->digits = interp->python_digits;
    if (!chunk->python || index == 0) interp->alias_notes = (AliasNotes){.count = 0};
    for (int i = 0; ok && i < entry->count; i++)
        ok = run_top_statement(&frame, chunk->statements.items[entry->first + i], err);
    ok = write_open_files(interp, ok ? err : NULL) && ok;
    if (chunk->python) interp->digits = digits;
    frame_release(&frame);
    if (!ok && (err->kind == ERR_NAME || err->kind == ERR_TYPE || err->kind == ERR_SYNTAX ||
                err->kind == ERR_VALUE))
        rewrite_hint(interp, err, NULL);
    return ok;
}

bool interp_evaluate(Interp *interp, const char *text, Value *out, Error *err) {
    Error unseen = {.kind = ERR_NONE};
    if (!err) err = &unseen;
    Chunk *chunk;
    Frame frame;
    const char *file = interp_runs_python(interp) ? "expression.py" : "";
    if (parse(interp, file, text, strlen(text), false, &chunk, err) != PARSE_OK) return false;
    const Node *node = chunk->statements.count == 1 ? chunk->statements.items[0] : NULL;
    bool ok = false;
    if (!node || node->kind != NODE_EXPRESSION)
        error_set(err, ERR_SYNTAX, "one expression is expected");
    else if (frame_init(&frame, interp, chunk, err)) {
        ok = eval(&frame, node->operand, out, err);
        frame_release(&frame);
    }
    chunk_unref(chunk);
    return ok;
}

/* ---- builtins that are written in the language ---- */

const char composed_file[] = "builtins.py";

/* Makes the function that the source of the builtin defines. */
static bool make_composed(Interp *interp, const BuiltinDef *builtin, Value *out, Error *err) {
    Chunk *chunk;
    Frame frame;
    if (parse(interp, composed_file, builtin->source, strlen(builtin->source), false, &chunk,
              err) != PARSE_OK)
        return false;
    bool ok = frame_init(&frame, interp, chunk, err);
    if (ok) {
        ok = make_function(&frame, chunk->statements.items[0]->def.function, out, err);
        frame_release(&frame);
    }
    chunk_unref(chunk);
    return ok;
}

bool interp_compose(const Call *call, Value *out, Error *err) {
    enum { PARAMETERS_MAX = 8 };
    Interp *interp = call->interp;
    Error unseen = {.kind = ERR_NONE};
    if (!err) err = &unseen;
    Signature *signature = interp_signature(interp, call->builtin, err);
    Value arguments[PARAMETERS_MAX] = {{0}};
    LocalValue taken = VALUE_MISSING;
    assert(signature && signature->count <= PARAMETERS_MAX); /* the call was bound by it */
    for (int i = 0; i < signature->count; i++) arguments[i] = call->arguments[i];
    bool ok = signature->composed.kind != VALUE_UNSET ||
              make_composed(interp, call->builtin, &signature->composed, err);
    if (ok && signature->rest >= 0) {
        ok = value_list_new(&taken, VALUE_TUPLE, call->rest_count, err);
        for (size_t i = 0; ok && i < call->rest_count; i++)
            taken.list->items[taken.list->count++] = value_ref(call->rest[i]);
        arguments[signature->rest] = taken;
    }
    ok = ok &&
         interp_call(interp, &signature->composed, arguments, (size_t)signature->count, out, err);
    if (!ok && strcmp(err->file, composed_file) == 0) err->line = 0; /* the call is the place */
    return ok;
}

/* ---- trials ---- */

bool interp_leaves_out(const Interp *interp, Error *err) {
    if (interp->rewriting) error_set(err, ERR_LIMIT, "this is left out of a trial");
    return interp->rewriting;
}

/* True if a command gets arguments though it takes none, or two expressions where it takes one, or
 * nothing where it takes something. */
static bool is_refused(const Interp *interp, const Node *node) {
    const char *name = node->command.name;
    const CommandSyntax *row = command_find(interp->hooks.commands, name, strlen(name));
    const int count = node->command.count;
    const CommandArgument *arguments = node->command.arguments;
    const bool plain = row && (!row->words || !*row->words) && !row->options;
    if (!row) return false;
    if (row->expression && count == 0) return true;
    if (row->expression && count > 1 && !arguments[0].word && !arguments[1].word) return true;
    const bool sets = row->sub && row->takes == TAKES_WORDS;
    if (sets && count > 0 && !arguments[0].word) return true; /* set 0.7 0.6 */
    if (sets && count > 2) {                                  /* set temperature a b */
        const char *picked = arguments[0].word;
        row = command_find(row->sub, picked, strlen(picked));
        return row && row->expression && !arguments[1].word && !arguments[2].word;
    }
    if (plain && row->takes == TAKES_VALUES) return count > 1; /* show A B */
    return plain && count > 0 && row->takes == TAKES_WORDS && !row->expression && !row->sub;
}

static bool write_nothing(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

Trial interp_try(Interp *interp, const char *line, bool defined, Value *value, Error *err) {
    enum { TRIAL_MEMORY = 16 << 20 };
    Error unheard;
    Value unseen, *out = value ? value : &unseen;
    bool rewriting = interp->rewriting, notes = interp->notes;
    Host *host = interp->host, silent = {.write = write_nothing, .columns = 80, .rows = 24};
    Random random = interp->random;
    size_t limit = mem_limit(), most = mem_used() + TRIAL_MEMORY;
    Chunk *chunk = NULL;
    Frame frame;
    if (!err) err = &unheard;
    *err = (Error){.kind = ERR_NONE};
    *out = VALUE_MISSING;
    interp->rewriting = true;
    interp->notes = false;
    ParseStatus status = parse(interp, "", line, strlen(line), true, &chunk, err);
    Trial trial = status == PARSE_ERROR ? TRIAL_FAILS : TRIAL_UNKNOWN;
    const Node *first = status == PARSE_OK && chunk->statements.count > 0
                            ? chunk->statements.items[0]
                            : NULL,
               *node = NULL;
    if (first && first->kind == NODE_EXPRESSION) node = first->operand;
    if (first && first->kind == NODE_ASSIGN) node = first->assign.value;
    if (first && first->kind == NODE_COMMAND && is_refused(interp, first)) trial = TRIAL_FAILS;
    interp->host = &silent;
    mem_set_limit(most < limit ? most : limit);
    if (node && frame_init(&frame, interp, chunk, err)) {
        trial = eval(&frame, node, out, err) ? TRIAL_WORKS : TRIAL_FAILS;
        frame_release(&frame);
    }
    mem_set_limit(limit);
    if (trial == TRIAL_FAILS && (err->kind == ERR_LIMIT || err->kind == ERR_INTERRUPT ||
                                 (err->kind == ERR_NAME && !defined)))
        trial = TRIAL_UNKNOWN;
    if (trial != TRIAL_WORKS) *out = VALUE_MISSING;
    if (!value) drop(out);
    chunk_unref(chunk);
    interp->host = host;
    interp->random = random;
    interp->notes = notes;
    interp->rewriting = rewriting;
    return trial;
}

/* ---- calls from C ---- */

/* A call by way of a builtin takes more of the stack than one in the tree. */
enum { CALL_LEVELS = 8 };

bool interp_call(Interp *interp, const Value *callee, const Value *arguments, size_t count,
                 Value *out, Error *err) {
    bool ok = interp->depth + CALL_LEVELS <= interp->depth_max || too_deep(err);
    interp->depth += CALL_LEVELS;
    ok = ok && call_positional(interp, callee, arguments, count, out, err);
    interp->depth -= CALL_LEVELS;
    return ok;
}
