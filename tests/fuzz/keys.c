/* Any bytes as keys typed at the prompt, on a screen of any size: what is written never runs over
 * the right edge, each frame's cursor is within its text (entry_frame_layout asserts it), and
 * entries that come out whole are parsed, not run. */
#include "tests/fuzz/harness.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "session/session.h"
#include "shell/editor/editor.h"

#include <stdlib.h>

enum { MEMORY_LIMIT = 256 << 20, KEYS_MAX = 1024, HEADER = 2, DIGITS_MAX = 3 };

/* Keys that readline waits for more of keep a few bytes for good when Ctrl-C comes instead. */
const char *__lsan_default_suppressions(void) { return "leak:libreadline\n"; }

static bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

static void ignore_note(Host *host, const char *text) { (void)host, (void)text; }

/* The column after an escape sequence of which `at` begins the text; *taken: its bytes. */
static size_t column_after(const char *at, size_t column, size_t *taken) {
    char *final;
    if (at[1] != '[') return *taken = 1, column;
    bool counted = at[2] >= '0' && at[2] <= '9';
    long count = strtol(at + 2, &final, 10);
    *taken = (size_t)(final - at) + 1;
    if (*final == 'C') return column + (counted ? (size_t)count : 1);
    return *final == 'H' ? 0 : column;
}

/* Only ^C may be written behind a full row. */
static void check_width(const char *text, size_t length, size_t columns) {
    size_t column = 0, taken;
    for (size_t at = 0; at < length; at += taken) {
        uint32_t code_point;
        taken = utf8_next(text + at, length - at, &code_point);
        if (code_point == '\033') column = column_after(text + at, column, &taken);
        else if (code_point == '\r') column = 0;
        else column += utf8_width(text + at, taken);
        bool interrupt = at > 0 && text[at - 1] == '^' && text[at] == 'C';
        if (column > columns && code_point != '^' && !interrupt) abort();
    }
}

static void read_entries(Session *session) {
    Text entry;
    bool lines_follow;
    text_init(&entry);
    for (ReadStatus status; (status = editor_read(&entry, &lines_follow)) != READ_END;) {
        Chunk *chunk = NULL;
        Error err = {0};
        if (status != READ_ENTRY) continue;
        if (parse(&session->interp, "", entry.data, entry.length, lines_follow, &chunk, &err) ==
            PARSE_OK)
            chunk_unref(chunk);
    }
    text_release(&entry);
}

/* A count of many digits would insert a key for minutes. */
static void copy_keys(char *to, const char *keys, size_t length) {
    size_t digits = 0;
    for (size_t i = 0; i < length; i++) {
        digits = keys[i] >= '0' && keys[i] <= '9' ? digits + 1 : 0;
        to[i] = digits > DIGITS_MAX ? 'x' : keys[i];
    }
}

/* Ctrl-C last: a search that the end of the input cut off would go on in the next run. */
static void type(Session *session, const char *keys, size_t length) {
    char *painted = NULL, all[KEYS_MAX + 1];
    size_t painted_length = 0;
    FILE *out = open_memstream(&painted, &painted_length);
    copy_keys(all, keys, length);
    all[length] = 3;
    editor_open(session, false);
    if (out && editor_drive(all, length + 1, out)) read_entries(session);
    editor_close();
    if (out) fclose(out);
    check_width(painted, painted_length, (size_t)session->interp.host->columns);
    free(painted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER || size > HEADER + KEYS_MAX) return 0;
    Host host = {.write = swallow,
                 .note = ignore_note,
                 .columns = data[0] % 100 + 1,
                 .rows = data[1] % 50 + 1,
                 .color = COLOR_16};
    Error err = {0};
    host.utf8 = data[1] < 200;
    setenv("INPUTRC", "/dev/null", 1);
    mem_set_limit(MEMORY_LIMIT);
    size_t before = mem_used();
    Session *session = session_new(&host, NULL, &err);
    if (session) {
        session->interp.safe = true;
        type(session, (const char *)data + HEADER, size - HEADER);
        session_free(session);
    }
    if (mem_used() != before) abort(); /* something was not given back */
    return 0;
}
