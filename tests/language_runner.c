/* Runs the scripts of tests/language, which have the answer beside the line, and
 * the ```attn blocks of Markdown files, written the same way.
 *
 *     softmax([0, 0])  # -> [0.5, 0.5]       all that the entry shows; ⏎ stands between lines
 *     [1, 2] @ [1]     # error shape: inner  ends in this error, whose message or hint holds this
 * text for i in range(2): print(i) # -> 0⏎1                               on a line of its own: of
 * the entry above
 *
 * An entry without a mark only has to run. Each file is one session; it goes on
 * after an error, which must have left variables, settings, the bench and the
 * generator as they were. What an entry changed is taken back by undo, and done
 * again by redo, before the next one runs. At its end the session is saved and
 * run again, which must come to the same. What is written goes to a folder of
 * this run. */
#include "io/file.h"
#include "notebook/lesson_commands.h"
#include "notebook/recorder.h"
#include "session/session.h"
#include "shell/explore/explore.h"
#include "shell/help/help.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Case {
    const char *file;
    int line; /* of the entry's first line, from 1 */
    Text code;
    Text expected;
    bool shows;      /* expected holds what it shows */
    ErrorKind error; /* ERR_NONE: it runs */
} Case;

static int passed, failed;

static void complain(const Case *test, const char *expected, const char *got) {
    printf("%s:%d: expected %s, got %s\n", test->file, test->line, expected, got);
}

/* ---- the host: keeps what is shown ---- */

static bool keep(Host *host, const char *text, size_t length, Error *err) {
    text_bytes(host->self, text, length);
    return text_ok(host->self, err);
}

static void ignore_note(Host *host, const char *text) {
    (void)host;
    (void)text;
}

/* ---- all that an error must leave alone, and undo bring back ---- */

typedef struct Before {
    const Symbol **symbols;
    Value *values; /* references: a value that is shared is never written to */
    size_t count;
    BenchState bench;
} Before;

static size_t count_variables(const Session *session) {
    size_t count = 0;
    VariableWalk walk = {.interp = &session->interp};
    while (variable_next(&walk)) count++;
    return count;
}

static void snapshot_take(Before *snapshot, Session *session) {
    size_t count = count_variables(session);
    snapshot->symbols = calloc(count + 1, sizeof *snapshot->symbols);
    snapshot->values = calloc(count + 1, sizeof *snapshot->values);
    snapshot->count = 0;
    VariableWalk walk = {.interp = &session->interp};
    for (const Symbol *symbol; (symbol = variable_next(&walk));) {
        snapshot->symbols[snapshot->count] = symbol;
        snapshot->values[snapshot->count++] = value_ref(symbol->value);
    }
    bench_state_take(session, &snapshot->bench);
}

static void snapshot_release(Before *snapshot) {
    for (size_t i = 0; i < snapshot->count; i++) value_release(&snapshot->values[i]);
    free(snapshot->symbols);
    free(snapshot->values);
    bench_state_release(&snapshot->bench);
}

static bool same_value(const Value *a, const Value *b) {
    Text left, right;
    text_init(&left);
    text_init(&right);
    value_write(&left, a, 17, true);
    value_write(&right, b, 17, true);
    bool same = a->kind == b->kind && strcmp(left.data, right.data) == 0;
    text_release(&left);
    text_release(&right);
    return same;
}

static const char *bench_changed(const BenchState *before, const BenchState *now) {
    const Bench *then = &before->bench, *bench = &now->bench;
    if (!settings_equal(&then->settings, &bench->settings)) return "a setting";
    if (then->run != bench->run) return "the result";
    if (!inputs_equal(&then->inputs, &bench->inputs)) return "the inputs";
    if (!bench_equal(then, bench)) return "the snapshots, or what sweep or compare found";
    if (memcmp(&before->random, &now->random, sizeof(Random)) != 0 || before->seed != now->seed)
        return "the generator";
    return NULL;
}

/* _, _1, _2 ...: an entry that only shows a value is no step of undo. */
static bool is_shown(const Symbol *symbol) {
    return symbol->name[0] == '_' &&
           symbol->name[1 + strspn(symbol->name + 1, "0123456789")] == '\0';
}

/* What differs from the snapshot, or NULL. */
static const char *changed_since(const Before *snapshot, Session *session, bool shown_too) {
    size_t count = count_variables(session);
    for (size_t i = 0; i < snapshot->count; i++) {
        const Symbol *symbol = snapshot->symbols[i];
        if ((shown_too || !is_shown(symbol)) && !same_value(&snapshot->values[i], &symbol->value))
            return symbol->name;
    }
    if (shown_too && count != snapshot->count) return "a variable that came";
    BenchState now;
    bench_state_take(session, &now);
    const char *changed = bench_changed(&snapshot->bench, &now);
    bench_state_release(&now);
    return changed;
}

/* Takes back the steps that an entry made, and does them again. What is not as it was then, or
 * NULL. */
static const char *there_and_back(Session *session, const Before *before, size_t steps) {
    Before after;
    snapshot_take(&after, session);
    for (size_t i = 0; i < steps; i++) undo_back(session);
    const char *wrong = changed_since(before, session, steps > 0);
    for (size_t i = 0; i < steps; i++) undo_forward(session);
    if (!wrong) wrong = changed_since(&after, session, true);
    snapshot_release(&after);
    return wrong;
}

/* ---- one case ---- */

static bool run_entries(Session *session, const Case *test, Error *err) {
    Chunk *chunk = NULL;
    if (parse(&session->interp, "", test->code.data, test->code.length, false, &chunk, err) !=
        PARSE_OK)
        return false;
    bool ok = true;
    for (int i = 0; ok && i < chunk->entry_count; i++)
        ok = session_run_entry(session, chunk, i, err);
    chunk_unref(chunk);
    return ok || err->kind == ERR_EXIT;
}

/* Some entries mean more than 2^32 items, which a machine of 32 bits refuses to count. */
static bool is_beyond_machine(bool ok, const Error *err) {
    return !ok && sizeof(size_t) < 8 && err->kind == ERR_LIMIT &&
           strstr(err->message, "items are more than this machine can count");
}

static bool check_error(const Case *test, bool ok, const Error *err) {
    char got[900];
    snprintf(got, sizeof got, "%s error: %s %s", error_kind_word(err->kind), err->message,
             err->hint);
    if (test->error == ERR_NONE) {
        if (!ok) complain(test, "no error", got);
        return ok;
    }
    if (!ok && err->kind == test->error && strstr(got, test->expected.data)) return true;
    char expected[900];
    snprintf(expected, sizeof expected, "%s error: %s", error_kind_word(test->error),
             test->expected.data);
    complain(test, expected, ok ? "no error" : got);
    return false;
}

static bool check_output(const Case *test, Text *output) {
    while (output->length > 0 && output->data[output->length - 1] == '\n')
        output->data[--output->length] = 0;
    if (!test->shows || strcmp(output->data, test->expected.data) == 0) return true;
    complain(test, test->expected.data, output->data);
    return false;
}

/* An entry that goes back itself, or past the steps that are kept, is not taken back. */
static const char *check_undo(Session *session, const Before *before, size_t steps) {
    size_t now = session->undo.done;
    return now < steps || steps == UNDO_STEPS_MAX || session->undo.count != now
               ? NULL
               : there_and_back(session, before, now - steps);
}

static void run_case(Session *session, Text *output, const Case *test) {
    Before before;
    Error err = {0};
    size_t steps = session->undo.done, shown = session->shown;
    text_clear(output);
    snapshot_take(&before, session);
    bool ok = run_entries(session, test, &err);
    bool right =
        is_beyond_machine(ok, &err) || (check_error(test, ok, &err) && check_output(test, output));
    const char *changed = ok ? NULL : changed_since(&before, session, true),
               *kept = ok ? check_undo(session, &before, steps) : NULL;
    if (!ok && shown != session->shown) changed = "the number of shown values";
    if (changed) complain(test, "the session as it was before the error", changed);
    if (kept) complain(test, "the session as it was, after undo and redo", kept);
    snapshot_release(&before);
    if (right && !changed && !kept) passed++;
    else failed++;
}

/* ---- saved and run again ---- */

typedef struct Same {
    const char *path;
    Session *again;
    bool same;
} Same;

static void check_variable(Same *all, const Symbol *symbol) {
    const Symbol *again = interp_find(&all->again->interp, symbol->name);
    if (again && same_value(&symbol->value, &again->value)) return;
    printf("%s: saved and run again, %s is another\n", all->path, symbol->name);
    all->same = false;
}

static bool same_settings(Session *session, Session *again, const char *path) {
    bool same = true;
    for (const SettingDef *row = setting_table; row->name; row++) {
        Text left, right;
        text_init(&left);
        text_init(&right);
        setting_write(row, &session->bench.settings, &left);
        setting_write(row, &again->bench.settings, &right);
        if (strcmp(left.data, right.data) != 0)
            printf("%s: saved and run again, %s is %s, not %s\n", path, row->name, right.data,
                   left.data),
                same = false;
        text_release(&left);
        text_release(&right);
    }
    return same;
}

static bool same_session(Session *session, Session *again, const char *path) {
    Same all = {path, again, true};
    size_t count[2] = {count_variables(session), count_variables(again)};
    VariableWalk walk = {.interp = &session->interp};
    for (const Symbol *symbol; (symbol = variable_next(&walk));) check_variable(&all, symbol);
    if (count[0] != count[1])
        printf("%s: saved and run again there are %zu variables, not %zu\n", path, count[1],
               count[0]);
    return same_settings(session, again, path) && all.same && count[0] == count[1] &&
           session->bench.inputs.kind == again->bench.inputs.kind &&
           memcmp(&session->interp.random, &again->interp.random, sizeof(Random)) == 0;
}

static const CommandDef *const further[] = {help_commands, explore_commands, lesson_commands, NULL};

/* Runs what `save session` would write; what asks for the time is never the same. */
static void check_transcript(Session *session, Host *host, const char *path) {
    Error err = {0};
    const Text *cells = &session->transcript.cells;
    if (strstr(cells->data, "time()")) return;
    Session *again = session_new(host, further, &err);
    bool ok =
        again && notebook_run(again, session_run_text, path, cells->data, cells->length, &err);
    if (!ok)
        printf("%s: saved and run again it ends in line %d: %s\n", path, err.line, err.message);
    if (ok && same_session(session, again, path)) passed++;
    else failed++;
    session_free(again);
}

/* ---- reading a file ---- */

/* The last place of `mark` in the line, or NULL. */
static const char *find_mark(const char *line, const char *end, const char *mark) {
    size_t length = strlen(mark), at = (size_t)(end - line);
    while (at-- > 0)
        if (strncmp(line + at, mark, length) == 0) return line + at;
    return NULL;
}

/* Appends [text, end) without spaces around it, ⏎ as a line break. */
static void append_expected(Text *out, const char *text, const char *end) {
    static const char mark[] = "⏎";
    while (text < end && *text == ' ') text++;
    while (end > text && (end[-1] == ' ' || end[-1] == '\r')) end--;
    while (text < end) {
        bool line_break =
            (size_t)(end - text) >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0;
        text_char(out, line_break ? '\n' : *text);
        text += line_break ? sizeof mark - 1 : 1;
    }
}

/* Reads the mark of a line, if it has one, into the case. False: it has none. */
static bool read_mark(Case *test, const char *line, const char *end) {
    const char *shows = find_mark(line, end, "# ->"), *error = find_mark(line, end, "# error ");
    if (shows) {
        if (test->shows) text_char(&test->expected, '\n');
        test->shows = true;
        append_expected(&test->expected, shows + 4, end);
        return true;
    }
    if (!error) return false;
    char word[16] = "";
    const char *p = error + 8;
    size_t length = strcspn(p, ": \r\n");
    if (length < sizeof word && p + length <= end) memcpy(word, p, length);
    test->error = error_kind_from_word(word);
    if (test->error == ERR_NONE) complain(test, "the name of an error kind", word);
    p += length;
    while (p < end && (*p == ':' || *p == ' ')) p++;
    append_expected(&test->expected, p, end);
    return true;
}

static bool starts_with_word(const char *line, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - line) >= length && memcmp(line, word, length) == 0 &&
           (line + length == end || strchr(" :", line[length]));
}

/* Does the line belong to the entry that the lines above began? */
static bool continues(const char *line, const char *end) {
    static const char *const words[] = {"elif", "else", "except", "finally", NULL};
    if (line == end || strchr(" \t\r#", *line)) return true;
    for (int i = 0; words[i]; i++)
        if (starts_with_word(line, end, words[i])) return true;
    return *line == ')' || *line == ']';
}

static void case_begin(Case *test, int line) {
    test->line = line;
    test->shows = false;
    test->error = ERR_NONE;
    text_clear(&test->code);
    text_clear(&test->expected);
}

static void case_end(Session *session, Text *output, Case *test) {
    if (test->code.length > 0) run_case(session, output, test);
    text_clear(&test->code);
}

static void run_lines(Session *session, Text *output, Case *test, int number, const char *text) {
    bool decorated = false; /* the line before is @f */
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        bool begins = !decorated && !continues(text, end), alone = *text == '#';
        decorated = *text == '@';
        if (begins) {
            case_end(session, output, test);
            case_begin(test, number);
        }
        number++;
        if (begins || test->code.length > 0) read_mark(test, text, end);
        if (begins || (test->code.length > 0 && !alone)) {
            text_bytes(&test->code, text, (size_t)(end - text));
            text_char(&test->code, '\n');
        }
        text = *end ? end + 1 : end;
    }
    case_end(session, output, test);
}

static bool run_text(const char *path, int first_line, const char *text, Error *err) {
    Text output;
    text_init(&output);
    Host host = {.self = &output, .write = keep, .note = ignore_note, .columns = 80, .utf8 = true};
    Case test = {.file = path};
    text_init(&test.code);
    text_init(&test.expected);
    Session *session = session_new(&host, further, err);
    if (session) run_lines(session, &output, &test, first_line, text);
    if (session) check_transcript(session, &host, path);
    session_free(session);
    text_release(&test.expected);
    text_release(&test.code);
    text_release(&output);
    return session != NULL;
}

/* The ```attn blocks of a Markdown text, each a session of its own. */
static bool run_blocks(const char *path, char *text, Error *err) {
    char *block = NULL;
    int line = 1, first_line = 0;
    bool ok = true;
    for (char *next; ok && *text; text = next, line++) {
        next = text + strcspn(text, "\n");
        next += *next == '\n';
        if (strncmp(text, "```", 3) != 0) continue;
        if (block) {
            *text = '\0';
            ok = run_text(path, first_line, block, err);
            block = NULL;
        } else if (strncmp(text, "```attn\n", 8) == 0) {
            block = next;
            first_line = line + 1;
        }
    }
    return ok;
}

/* Runs a file of the folder `from` in the folder `to`. */
static bool run_file(const char *path, int from, const char *to, Error *err) {
    Text text;
    text_init(&text);
    bool ok = fchdir(from) == 0 && file_read(path, 0, &text, err) && chdir(to) == 0 &&
              (path_has_suffix(path, "md") ? run_blocks(path, text.data, err)
                                           : run_text(path, 1, text.data, err));
    text_release(&text);
    return ok;
}

int main(int count, char **paths) {
    char folder[] = "/tmp/attn-language-XXXXXX", command[80];
    int start = open(".", O_RDONLY);
    if (start < 0 || !mkdtemp(folder)) return perror(folder), EXIT_FAILURE;
    for (int i = 1; i < count; i++) {
        Error err = {0};
        if (!run_file(paths[i], start, folder, &err)) {
            printf("%s: %s\n", paths[i], err.message);
            failed++;
        }
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    failed += system(command) != 0;
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
