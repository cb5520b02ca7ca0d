/* Runs the scripts of tests/language, which have the answer beside the line, and
 * the ```attn blocks of Markdown files, written the same way.
 *
 *     softmax([0, 0])  # -> [0.5, 0.5]       all that the entry shows; ⏎ stands between lines
 *     [1, 2] @ [1]     # error shape: inner  ends in this error, whose message or hint holds this text
 *     for i in range(2):
 *         print(i)
 *     # -> 0⏎1                               on a line of its own: of the entry above
 *
 * An entry without a mark only has to run. Each file is one session; it goes on
 * after an error, which must have left variables, settings and the generator
 * as they were. */
#include "io/file.h"
#include "session/session.h"
#include "shell/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Case {
    const char *file;
    int line;            /* of the entry's first line, from 1 */
    Text code;
    Text expected;
    bool shows;          /* expected holds what it shows */
    ErrorKind error;     /* ERR_NONE: it runs */
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

/* ---- all that an error must leave alone ---- */

typedef struct Before {
    const Symbol **symbols;
    Value *values; /* references: a value that is shared is never written to */
    size_t count;
    Settings settings;
    Random random;
    size_t shown;
} Before;

static void count_variable(void *context, const Symbol *symbol) {
    (void)symbol;
    ++*(size_t *)context;
}

static void keep_variable(void *context, const Symbol *symbol) {
    Before *snapshot = context;
    snapshot->symbols[snapshot->count] = symbol;
    snapshot->values[snapshot->count++] = value_ref(symbol->value);
}

static void snapshot_take(Before *snapshot, const Session *session) {
    size_t count = 0;
    interp_each(&session->interp, count_variable, &count);
    snapshot->symbols = calloc(count + 1, sizeof *snapshot->symbols);
    snapshot->values = calloc(count + 1, sizeof *snapshot->values);
    snapshot->count = 0;
    interp_each(&session->interp, keep_variable, snapshot);
    settings_copy(&snapshot->settings, &session->settings);
    snapshot->random = session->interp.random;
    snapshot->shown = session->shown;
}

static void snapshot_release(Before *snapshot) {
    for (size_t i = 0; i < snapshot->count; i++) value_release(&snapshot->values[i]);
    free(snapshot->symbols);
    free(snapshot->values);
    settings_release(&snapshot->settings);
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

/* What differs from the snapshot, or NULL. */
static const char *changed_since(const Before *snapshot, const Session *session) {
    size_t count = 0;
    interp_each(&session->interp, count_variable, &count);
    if (count != snapshot->count) return "a variable that came or went";
    for (size_t i = 0; i < count; i++)
        if (!same_value(&snapshot->values[i], &snapshot->symbols[i]->value)) return snapshot->symbols[i]->name;
    if (!settings_equal(&snapshot->settings, &session->settings)) return "a setting";
    if (memcmp(&snapshot->random, &session->interp.random, sizeof(Random)) != 0) return "the generator";
    if (snapshot->shown != session->shown) return "the number of shown values";
    return NULL;
}

/* ---- one case ---- */

static bool run_entries(Session *session, const Case *test, Error *err) {
    Chunk *chunk = NULL;
    if (parse(&session->interp, "", test->code.data, test->code.length, false, &chunk, err) != PARSE_OK) return false;
    bool ok = true;
    for (int i = 0; ok && i < chunk->entry_count; i++) ok = session_run_entry(session, chunk, i, err);
    chunk_unref(chunk);
    return ok || err->kind == ERR_EXIT;
}

static bool check_error(const Case *test, bool ok, const Error *err) {
    char got[900];
    snprintf(got, sizeof got, "%s error: %s %s", error_kind_word(err->kind), err->message, err->hint);
    if (test->error == ERR_NONE) {
        if (!ok) complain(test, "no error", got);
        return ok;
    }
    if (!ok && err->kind == test->error && strstr(got, test->expected.data)) return true;
    char expected[900];
    snprintf(expected, sizeof expected, "%s error: %s", error_kind_word(test->error), test->expected.data);
    complain(test, expected, ok ? "no error" : got);
    return false;
}

static bool check_output(const Case *test, Text *output) {
    while (output->length > 0 && output->data[output->length - 1] == '\n') output->data[--output->length] = 0;
    if (!test->shows || strcmp(output->data, test->expected.data) == 0) return true;
    complain(test, test->expected.data, output->data);
    return false;
}

static void run_case(Session *session, Text *output, const Case *test) {
    Before before;
    Error err = {0};
    text_clear(output);
    snapshot_take(&before, session);
    bool ok = run_entries(session, test, &err);
    bool right = check_error(test, ok, &err) && check_output(test, output);
    const char *changed = ok ? NULL : changed_since(&before, session);
    if (changed) complain(test, "the session as it was before the error", changed);
    snapshot_release(&before);
    if (right && !changed) passed++;
    else failed++;
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
        bool line_break = (size_t)(end - text) >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0;
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
    static const char *const words[] = {"elif", "else", "except", NULL};
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
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        bool begins = !continues(text, end), alone = *text == '#';
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
    static const CommandDef *const further[] = {help_commands, NULL};
    Session *session = session_new(&host, further, err);
    if (session) run_lines(session, &output, &test, first_line, text);
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

static bool run_file(const char *path, Error *err) {
    Text text;
    text_init(&text);
    bool ok = file_read(path, 0, &text, err) &&
              (path_has_suffix(path, "md") ? run_blocks(path, text.data, err) : run_text(path, 1, text.data, err));
    text_release(&text);
    return ok;
}

int main(int count, char **paths) {
    for (int i = 1; i < count; i++) {
        Error err = {0};
        if (!run_file(paths[i], &err)) {
            printf("%s: %s\n", paths[i], err.message);
            failed++;
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
