#include "session/session.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "engine/tensor/threads.h"
#include "io/file.h"
#include "library/library.h"
#include "library/model.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_KEPT = 100, RUN_DEPTH_MAX = 20, LABEL_MAX = 60 };

/* ---- life cycle ---- */

static const CommandDef *const own_commands[] = {
    bench_commands,   setting_commands, plot_commands,     sweep_commands,    trace_commands,
    why_commands,     compare_commands, snapshot_commands, diagnose_commands, train_commands,
    predict_commands, inspect_commands, heads_commands,    origin_commands,   intervene_commands,
    script_commands,  session_commands};

/* Collects the tables of commands, and their rows as the parser wants them. */
static bool collect_commands(Session *session, const CommandDef *const *further, Error *err) {
    size_t own = sizeof own_commands / sizeof *own_commands, count = own, rows = 0, settings = 0;
    while (further && further[count - own]) count++;
    const CommandDef **tables = mem_zeroed(count + 1, sizeof *tables, err);
    if (!tables) return false;
    session->commands = tables;
    for (size_t t = 0; t < count; t++) {
        tables[t] = t < own ? own_commands[t] : further[t - own];
        for (const CommandDef *row = tables[t]; row->syntax.name; row++) rows++;
    }

    while (setting_table[settings].name) settings++;
    session->setting_syntax = mem_zeroed(settings + 1, sizeof *session->setting_syntax, err);
    if (!session->setting_syntax) return false;
    for (size_t i = 0; i < settings; i++)
        session->setting_syntax[i] =
            (CommandSyntax){.name = setting_table[i].name,
                            .words = setting_words(&setting_table[i]),
                            .expression = setting_takes_expression(&setting_table[i])};

    CommandSyntax *out = session->syntax = mem_zeroed(rows + 1, sizeof *session->syntax, err);
    if (!out) return false;
    for (size_t t = 0; t < count; t++)
        for (const CommandDef *row = tables[t]; row->syntax.name; row++, out++) {
            *out = row->syntax;
            if (row->takes_setting) out->sub = session->setting_syntax;
        }
    return true;
}

/* The rows of the screen without the line that was typed, the note on what is left out and the
 * prompt; SIZE_MAX / 2 in a script, a file or a pipe, whose output is not cut. */
static size_t room_on_screen(const Session *session) {
    enum { AROUND = 3, LEAST = 5 };
    const Host *host = session->interp.host;
    if (!host->interactive || !host->terminal || session->run_depth > 0) return SIZE_MAX / 2;
    return host->rows > AROUND + LEAST ? (size_t)host->rows - AROUND : LEAST;
}

/* Says how many lines after the first `before` bytes of left_out found no room on the screen. It
 * does not say so in the transcript, which has all of them. */
static bool tell_left_out(Session *session, size_t before, Error *err) {
    Host *host = session->interp.host;
    const Text *text = &session->left_out;
    Text *copy = host->copy;
    size_t rows = SIZE_MAX;
    if (!session->cut || text->length <= before) return true;
    utf8_rows(text->data + before, text->length - before, session_columns(session), &rows);
    host->copy = NULL;
    bool ok = host_print(host, err, "(%zu line%s left out: more shows them)\n", rows,
                         rows == 1 ? "" : "s");
    host->copy = copy;
    return ok;
}

/* Serves as InterpHooks.run_command: runs the row of the command table that has the command's name,
 * and says how it is used where that was wrong. */
static bool run_command_row(void *context, CommandCall *call, Error *err) {
    Session *session = context;
    const CommandDef *command = session_command(session, call->node->command.name);
    size_t before = session->cut ? session->left_out.length : 0;
    const char *name = command->syntax.name;
    if (command->syntax.shows && command_at_end(call) && session_variable(session, name))
        return interp_runs_python(&session->interp) || /* there, a name alone shows nothing */
               session_write_value(session, session_variable_instead(session, name), err);
    /* An argument may call a function that attends or ablates: what the command works on stays. */
    Run *run = object_ref(session->bench.run);
    struct Inspection *inspection = object_ref(session->bench.inspection);
    session->room = room_on_screen(session);
    bool held = session->inspection_held, ok = command->run(session, call, err);
    session->inspection_held = held;
    object_unref(run);
    object_unref(inspection);
    if (ok) return tell_left_out(session, before, err);
    bool more = strcmp(command->usage, command->syntax.name) != 0;
    if (err->kind == ERR_SYNTAX && !*err->hint && more)
        error_hint(err, "it is used so: %s", command->usage);
    return false;
}

/* ---- showing values ---- */

/* Shows the value of an expression statement and keeps it as _, and as _1, _2 ... for a hundred
 * more. */
static bool show_value(void *context, const Value *value, Error *err) {
    Session *session = context;
    char name[32], oldest[32];
    snprintf(name, sizeof name, "_%zu", ++session->shown);
    snprintf(oldest, sizeof oldest, "_%zu", session->shown - SHOWN_KEPT);
    size_t before = session->cut ? session->left_out.length : 0;
    session->room = room_on_screen(session);
    return session_set_variable(session, "_", value, err) &&
           session_set_variable(session, name, value, err) &&
           (session->shown <= SHOWN_KEPT || session_set_variable(session, oldest, NULL, err)) &&
           session_write_value(session, value, err) && tell_left_out(session, before, err);
}

/* Finds last.weights, last.run and the like on the bench, whatever `last` is. */
static Object *bench_attribute(void *context, const Symbol *symbol, const char *name) {
    const Bench *bench = &((const Session *)context)->bench;
    if (strcmp(symbol->name, "last") != 0) return NULL;
    bool of_model = strcmp(name, "run") == 0 || strcmp(name, "table") == 0;
    if (of_model && bench->inspection) return (Object *)bench->inspection;
    return bench->run && run_has(name) ? &bench->run->object : NULL;
}

static void set_digits(void *context, int digits) {
    Session *session = context;
    session->bench.settings.digits = digits;
    session_apply_settings(session);
}

/* ---- making ---- */

static bool may_write(void *context, const char *path, bool forced, const char *remedy,
                      Error *err) {
    return session_may_write(context, path, forced, remedy, err);
}

Session *session_new(Host *host, const CommandDef *const *further, Error *err) {
    Session *session = mem_zeroed(1, sizeof *session, err);
    if (!session) return NULL;
    transcript_init(&session->transcript);
    text_init(&session->left_out);
    session->room = SIZE_MAX / 2;
    bench_init(&session->bench);
    settings_copy(&session->settings_at_start, &session->bench.settings);
    session->host_color = host->color;
    bool ok = collect_commands(session, further, err);
    InterpHooks hooks = {.context = session,
                         .commands = session->syntax,
                         .modules = module_texts,
                         .run_command = run_command_row,
                         .show = show_value,
                         .attribute_host = bench_attribute,
                         .set_digits = set_digits,
                         .may_write = may_write};
    ok = ok && value_record_new(&session->written, err);
    if (!ok || !interp_init(&session->interp, host, library_tables, &hooks, err)) {
        session_free(session);
        return NULL;
    }
    random_seed(&session->interp.random, 0);
    session_apply_settings(session);
    return session;
}

void session_start_here(Session *session) {
    undo_release(&session->undo);
    settings_release(&session->settings_at_start);
    settings_copy(&session->settings_at_start, &session->bench.settings);
}

void session_free(Session *session) {
    if (!session) return;
    undo_release(&session->undo);
    settings_release(&session->settings_at_start);
    transcript_release(&session->transcript);
    text_release(&session->left_out);
    mem_free(session->invitation);
    mem_free(session->lesson);
    mem_free(session->new_folder);
    value_release(&session->written);
    bench_release(&session->bench);
    if (session->interp.host) interp_release(&session->interp);
    mem_free(session->syntax);
    mem_free(session->setting_syntax);
    mem_free((void *)session->commands);
    mem_free(session);
}

/* ---- entries ---- */

/* True if anything has changed that undo would take back; `_`, `_1` ... do not count. */
static bool has_changed(const Session *session, const Journal *journal) {
    for (size_t i = 0; i < journal->count; i++) {
        if (!journal->changes[i].symbol) return true;
        const char *name = journal->changes[i].symbol->name;
        bool shown = *name == '_' && name[1 + strspn(name + 1, "0123456789")] == '\0';
        if (!shown) return true;
    }
    const BenchState *before = &session->before;
    return !bench_equal(&session->bench, &before->bench) ||
           memcmp(&session->interp.random, &before->random, sizeof before->random) != 0;
}

bool session_entry_changed(const Session *session) {
    return has_changed(session, &session->interp.journal);
}

/* Makes the entry a step of undo, if it changed anything. Takes the journal over. */
static void keep_entry(Session *session, const Chunk *chunk, const Entry *entry, Journal journal) {
    if (!has_changed(session, &journal)) {
        journal_release(&journal);
        bench_state_release(&session->before);
        return;
    }
    /* Its label is its first line, cut before a character that does not fit; … marks the cut. */
    const char *text = chunk->text + entry->span.begin;
    size_t length = 0, most = entry->span.end - entry->span.begin;
    while (length < most && length < LABEL_MAX && text[length] != '\n') length++;
    if (length < most) length = utf8_begin(text, length);
    Text line = TEXT_EMPTY;
    Error ignored = {.kind = ERR_NONE}; /* a step may lack its label */
    text_bytes(&line, text, length);
    most = trimmed_length(text, most, "\r\n");
    if (length < most) text_string(&line, text[length - 1] == ' ' ? "…" : " …");
    char *label = text_take(&line, &ignored);

    const Bench *before = &session->before.bench;
    if (session->bench.run != before->run) run_put_aside(before->run);
    size_t bytes =
        journal_bytes(&journal) + sizeof(UndoStep) + bench_bytes(before, &session->bench);
    undo_keep(
        &session->undo,
        (UndoStep){.journal = journal, .state = session->before, .label = label, .bytes = bytes});
}

/* True if the value is this list, or holds it as one of its rows. */
static bool holds_list(const Value *value, const Shared *list, int depth) {
    if (value->kind != VALUE_LIST || depth > AXES_MAX) return false;
    if (value->shared == list) return true;
    for (size_t i = 0; i < value->list->count; i++)
        if (holds_list(&value->list->items[i], list, depth + 1)) return true;
    return false;
}

enum { CHANGED_MOST = 8 };

/* The change of a variable, or of a list that variables hold. */
typedef struct InputChange {
    const Session *session;
    const Change *change;
    const Symbol *inputs[CHANGED_MOST]; /* that changed by it and those before, the first ones */
    size_t count;
} InputChange;

static void find_changed_input(InputChange *search, const Symbol *symbol) {
    const Bench *bench = &search->session->bench;
    const Change *change = search->change;
    bool changed =
        change->symbol == symbol ||
        (change->holder.kind == VALUE_LIST && holds_list(&symbol->value, change->holder.shared, 0));
    if (!changed || search->count == CHANGED_MOST ||
        !(inputs_use(&bench->inputs, symbol) || settings_name(&bench->settings, symbol)))
        return;
    for (size_t i = 0; i < search->count; i++)
        if (search->inputs[i] == symbol) return;
    search->inputs[search->count++] = symbol;
}

/* At a prompt a change of an input, or of an array that the mask names, shows at once what it does,
 * unless its line ended in `;`. */
static bool answer_changed_inputs(Session *session, bool quiet, bool *attended, Error *err) {
    if (!session->interp.host->interactive || !session->bench.run ||
        session->bench.run != session->before.bench.run)
        return true;
    const Journal *journal = &session->interp.journal;
    InputChange search = {.session = session};
    for (size_t i = 0; i < journal->count; i++) {
        search.change = &journal->changes[i];
        if (search.change->symbol) find_changed_input(&search, search.change->symbol);
        VariableWalk walk = {.interp = &session->interp};
        for (Symbol *symbol; !search.change->symbol && (symbol = variable_next(&walk));)
            find_changed_input(&search, symbol);
    }
    if (search.count == 0) return true;
    LocalText names = TEXT_EMPTY;
    for (size_t i = 0; i < search.count; i++)
        text_format(&names, "%s%s", i ? ", " : "", search.inputs[i]->name);
    bool ok = text_ok(&names, err) && session_answer(session, names.data, NULL, quiet, err);
    *attended = session->bench.run != session->before.bench.run;
    return ok;
}

/* Adds the entry to the transcript. attended: at the prompt it changed an input, and the result was
 * computed anew, which in a document takes an `attend`; as a part of the entry, so that one undo
 * takes both back, unless the entry ends in a block. */
static void transcribe_entry(Session *session, const Chunk *chunk, const Entry *entry, bool whole,
                             bool attended) {
    const char *text = chunk->text + entry->span.begin;
    size_t length = entry->span.end - entry->span.begin;
    Text line = TEXT_KEPT;
    if (attended) length = trimmed_length(text, length, "; \t\r\n");
    text_bytes(&line, text, length);
    const Node *last =
        entry->count ? chunk->statements.items[entry->first + entry->count - 1] : NULL;
    bool simple = last && last->kind != NODE_DEF && !node_block(last, 0).statements;
    if (attended) text_string(&line, simple ? "; attend;" : "\nattend;");
    transcript_add(&session->transcript, line.data, line.length, whole);
    text_release_for(&line, &session->transcript.cells);
}

/* Takes back all that a failed entry did, its undo and redo too. */
static void take_back(Session *session, Journal journal) {
    journal_apply(&journal);
    journal_release(&journal);
    bench_state_swap(session, &session->before);
    bench_state_release(&session->before);
    session->shown = session->shown_before;
    for (; session->walked < 0; session->walked++) undo_forward(session);
    for (; session->walked > 0; session->walked--) undo_back(session);
}

bool session_run_entry(Session *session, Chunk *chunk, int index, Error *err) {
    const Entry *entry = &chunk->entries[index];
    bool quiet =
        entry->count > 0 && chunk->statements.items[entry->first + entry->count - 1]->quiet;
    session->shown_before = session->shown;
    session->cut = false;
    session->room = room_on_screen(session);
    if (chunk->used_full_width && interp_first_in_session(&session->interp, "full-width"))
        host_note(session->interp.host, "(full-width punctuation is read as its ASCII twin)\n");
    bool notes = session->interp.notes;
    if (notes && chunk->used_jupyter && interp_first_in_session(&session->interp, "jupyter"))
        host_note(session->interp.host,
                  "(lines with %% or ! in front belong to Jupyter, and are left out)\n");
    if (notes && chunk->left_import && interp_first_in_session(&session->interp, "import"))
        host_note(session->interp.host,
                  "(modules that draw or show are not imported: plot A draws a picture)\n");
    bench_state_take(session, &session->before);
    session->walked = 0;
    transcript_begin(&session->transcript);
    Host *host = session->interp.host;
    host->copy = &session->transcript.shown;
    interp_begin_entry(&session->interp);
    bool attended = false;
    bool ok = interp_run_entry(&session->interp, chunk, index, err) &&
              answer_changed_inputs(session, quiet, &attended, err);
    host->copy = NULL;
    int allowed = threads_allowed();
    if (allowed > 0 && interp_first_in_session(&session->interp, "threads"))
        host_note(host,
                  "(the system allows no further thread: %d instead of %d compute, with the same "
                  "results)\n",
                  allowed, threads_now());
    if (ok) note_setting_assigned(&session->interp, chunk, entry);
    Model *trained = object_ref((Model *)session_trained(session)); /* by the entry, or before */
    object_unref(session->bench.trained);
    session->bench.trained = trained;
    Journal journal = interp_end_entry(&session->interp);
    if (entry->count > 1) session->transcript.skip = false; /* it did more than save */
    if (ok || err->kind == ERR_INTERRUPT) transcribe_entry(session, chunk, entry, ok, attended);
    if (ok && (journal.count > 0 || session->walked != 0 || has_changed(session, &journal)))
        transcript_hand_on(&session->transcript, chunk->text + entry->span.begin,
                           entry->span.end - entry->span.begin);
    if (ok || err->kind == ERR_INTERRUPT || err->kind == ERR_EXIT)
        keep_entry(session, chunk, entry, journal);
    else take_back(session, journal);
    return ok;
}

bool session_run_text(Session *session, const char *file, const char *text, size_t length,
                      Error *err) {
    LocalChunk *chunk = NULL;
    if (parse(&session->interp, file, text, length, false, &chunk, err) != PARSE_OK) return false;
    Host *host = session->interp.host;
    bool ok = true;
    for (int i = 0; ok && i < chunk->entry_count; i++)
        ok = (session->run_depth > 0 ? interp_run_entry(&session->interp, chunk, i, err)
                                     : session_run_entry(session, chunk, i, err)) &&
             host_flush(host, err);
    return ok;
}

void session_begin_trial(Session *session) {
    session->shown_before = session->shown;
    bench_state_take(session, &session->before);
    session->walked = 0;
    interp_begin_entry(&session->interp);
    session->run_depth++; /* the entries that run now belong to this one */
}

void session_end_trial(Session *session) {
    session->run_depth--;
    take_back(session, interp_end_entry(&session->interp));
}

/* ---- scripts ---- */

bool session_begin_script(Session *session, const char *path) {
    if (session->script) return false;
    session->script = path;
    session->picture_count = 0;
    return true;
}

void session_end_script(Session *session, bool began) {
    if (!began) return;
    session->script = NULL;
    if (session->new_folder)
        host_note(session->interp.host, "(its pictures lie in %s)\n", session->new_folder);
    mem_free(session->new_folder);
    session->new_folder = NULL;
}

bool session_run_file(Session *session, const char *path, Error *err) {
    const char *before = session->interp.directory, *slash = strrchr(path, '/');
    char real[PATH_MAX];
    bool script = session_begin_script(session, realpath(path, real) ? real : path);
    LocalText text = TEXT_EMPTY;
    /* Relative paths in the file start from its folder. */
    LocalMemory char *folder =
        slash ? mem_string(path, slash == path ? 1 : (size_t)(slash - path), err)
              : mem_string(".", 1, err);
    bool ok = folder && file_read(path, 0, &text, err);
    if (ok && path_has_suffix(path, "ipynb")) {
        ok = error_set(err, ERR_FILE,
                       "%s is a notebook of Jupyter, which attn writes but does not read", path);
        error_hint(err, "in a shell, jupyter nbconvert --to script %s makes a .py file of its code",
                   path);
    }
    if (ok) {
        session->interp.directory = folder;
        ok = session->run_document && path_has_suffix(path, "md")
                 ? session->run_document(session, session_run_text, path, text.data, text.length,
                                         err)
                 : session_run_text(session, path, text.data, text.length, err);
        session->interp.directory = before;
    }
    session_end_script(session, script);
    return ok;
}

bool session_run_nested(Session *session, const char *path, Error *err) {
    if (session->run_depth >= RUN_DEPTH_MAX)
        return error_set(err, ERR_LIMIT, "scripts that run scripts are nested deeper than %d",
                         RUN_DEPTH_MAX);
    Host *host = session->interp.host;
    bool (*page)(Host * host, const char *text, size_t length, Error *err) = host->page;
    session->run_depth++;
    host->page = NULL; /* a script does not stop to be read */
    bool ok = session_run_file(session, path, err);
    host->page = page;
    session->run_depth--;
    return ok;
}
