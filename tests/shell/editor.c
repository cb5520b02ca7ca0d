/* The line editor without a terminal: keys in, entries out. Without readline there is nothing to
 * test. */
#include "shell/editor/editor.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "session/session.h"
#include "shell/editor/entry_lines.h"
#include "shell/help/help.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UP "\033[A"
#define DOWN "\033[B"
#define LEFT "\033[D"
#define HOME "\033[H"
#define RUB "\177"
#define PASTE(text) "\033[200~" text "\033[201~"

/* ---- a prompt ---- */

static bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

static void ignore(Host *host, const char *text) { (void)host, (void)text; }

static Host host = {.write = swallow, .note = ignore, .columns = 80, .rows = 24, .utf8 = true};

static Session *new_session(void) {
    static const CommandDef *const further[] = {help_commands, NULL};
    Error err = {.kind = ERR_NONE};
    setenv("INPUTRC", "/dev/null", 1);
    Session *session = session_new(&host, further, &err);
    ck_assert_msg(session != NULL, "%s", err.message);
    return session;
}

/* What was read, one after the other: an entry, ^C, or ^D; (file) behind those that are parsed as a
 * file is. */
static void read_all(Text *seen) {
    Text entry;
    ReadStatus status;
    bool lines_follow;
    text_init(&entry);
    do {
        status = editor_read(&entry, &lines_follow);
        if (status == READ_ENTRY) text_bytes(seen, entry.data, entry.length);
        if (status == READ_ENTRY && !lines_follow) text_string(seen, "(file)\n");
        if (status != READ_ENTRY) text_string(seen, status == READ_END ? "^D" : "^C\n");
    } while (status != READ_END);
    text_release(&entry);
}

static bool type(const char *keys, Text *seen) {
    Session *session = new_session();
    FILE *out = fopen("/dev/null", "w");
    editor_open(session, false);
    bool editing = editor_drive(keys, strlen(keys), out);
    interrupt_flag = 1; /* a Ctrl-C that came too late for what ran before */
    if (editing) read_all(seen);
    editor_close();
    fclose(out);
    session_free(session);
    return editing;
}

/* ---- entries ---- */

static const struct {
    const char *keys, *seen;
} entries[] = {
    {"1 + 2\r", "1 + 2\n^D"},
    {"", "^D"},
    {"\r\r", "\n\n^D"},
    {"13" LEFT "2\r", "123\n^D"},
    {"查询" LEFT "我" LEFT RUB "\r", "我询\n^D"},
    {"查询" LEFT RUB "\r", "询\n^D"},
    {"abc\001\013\031d\r", "abcd\n^D"},
    {"abc\003x\r", "^C\nx\n^D"},
    {"abc\022\003x\r", "^C\nx\n^D"},
    {"abc\033\003x\r", "^C\nx\n^D"},
    {"\003\003x\r", "^C\n^C\nx\n^D"},
    {"\033\003x\r", "^C\nx\n^D"},
    {"\026\003x\r", "^C\nx\n^D"},
    {"\030\003x\r", "^C\nx\n^D"},
    {"\033[200~\003x\r", "^C\nx\n^D"},
    {"x\004", "^D"},
    {"a\033[15~b\033[1;2Ac\033[<0;10;10Md\033[[Ae\033OPf\r", "abcdef\n^D"},
    {"for i in x:\rprint(i)\r\r", "for i in x:\n    print(i)\n\n^D"},
    {"for i in x:\r    print(i)\r    i\r\r", "for i in x:\n    print(i)\n    i\n\n^D"},
    {"for i in x: print(i)\r", "for i in x: print(i)\n^D"},
    {"if x:\ry\r" RUB "else:\rz\r\r", "if x:\n    y\nelse:\n    z\n\n^D"},
    {"if x:  # y: z\ry = '#:'\rz\r\r", "if x:  # y: z\n    y = '#:'\n    z\n\n^D"},
    {"if x:\r\tif y:\rz\r\r", "if x:\n        if y:\n            z\n\n^D"},
    {"f(1,\r2)\r", "f(1,\n2)\n^D"},
    {"x = '''a\rb'''\r", "x = '''a\nb'''\n^D"},
    {"1\033\r2\r", "1\n2\n^D"},
    {"1\033\r2" UP "\r3" DOWN "\r", "1\n3\n2\n^D"},
    {"softm\t1)\r", "softmax(1)\n^D"},
    {"unse\tmask\r", "unset mask\n^D"},
    {PASTE("for i in x:\r\r    i\r") "\r", "for i in x:\n\n    i\n(file)\n^D"},
    {PASTE("for i in x:\r\r    i\r") "2\r\r", "for i in x:\n\n    i2\n\n^D"},
    {PASTE("for i in x:") "\ri\r\r", "for i in x:\n    i\n\n^D"},
    {"print(" PASTE("1") ")\r", "print(1)\n^D"},
    {PASTE(">>> 1 + 1\r2\r>>> 3\r") "\r", "1 + 1\n3\n(file)\n^D"},
    {"\033[200~lost\003x\r", "^C\nx\n^D"},
    {"a\rb\r" UP UP "\r", "a\nb\na\n(file)\n^D"},
    {"aa\rb\ra" UP "\r", "aa\nb\naa\n(file)\n^D"},
    {"a\rb" UP DOWN "c\r", "a\nbc\n^D"},
    {"if x:\ry\r\rz\rw" UP UP DOWN DOWN "w\r", "if x:\n    y\n\nz\nww\n^D"},
    {"if x:\ry\r\rz\r" UP UP LEFT UP "\r", "if x:\n    y\n\nz\nif x:\n    y\n(file)\n^D"},
    {"if x:\ry\relse:\rz\r\r", "if x:\n    y\nelse:\n    z\n\n^D"},
    {"if x:\ry\relse: z\r\r", "if x:\n    y\nelse: z\n\n^D"},
    {"alpha\rbeta\r\022alp\r", "alpha\nbeta\nalpha\n(file)\n^D"},
    {"查询\rbeta\r\022查\007x\r", "查询\nbeta\nx\n^D"},
    {"alpha\rbeta\rx\022alp\001" DOWN DOWN "y\r", "alpha\nbeta\nxy\n^D"},
};

START_TEST(each_entry) {
    Text seen;
    text_init(&seen);
    bool editing = type(entries[_i].keys, &seen);
    ck_assert_msg(!editing || strcmp(seen.data, entries[_i].seen) == 0,
                  "keys %s\nread:\n%s\nwanted:\n%s", entries[_i].keys, seen.data, entries[_i].seen);
    text_release(&seen);
}
END_TEST

/* ---- memory that runs out ---- */

static const char much[] =
    "for i in x:\rprint(i)\r\r" UP UP DOWN "\003so\tabc\022pri\r" PASTE("a\rb") "\r查\r";

/* Whatever is lost, the end of the keys is reached and all is given back. */
START_TEST(each_failing_allocation) {
    Text seen;
    long first = mem_requests();
    text_init(&seen);
    bool editing = type(much, &seen);
    text_release(&seen);
    long requests = mem_requests() - first;
    for (long n = 1; editing && n <= requests; n += 1 + n / 40) {
        size_t used = mem_used();
        Session *session = new_session();
        FILE *out = fopen("/dev/null", "w");
        mem_fail_at(n, false);
        editor_open(session, false);
        if (editor_drive(much, strlen(much), out)) read_all(&seen);
        editor_close();
        mem_fail_at(0, false);
        fclose(out);
        text_release(&seen);
        session_free(session); /* the names that the parser has seen stay in it */
        ck_assert_uint_eq(used, mem_used());
    }
}
END_TEST

/* ---- lines ---- */

static const struct {
    const char *line;
    size_t indent;
} indents[] = {
    {"", 0},
    {"x", 0},
    {"  x", 2},
    {"if x:", 4},
    {"    if x:  ", 8},
    {"\tx", 8},
    {"if x: # y", 4},
    {"x # :", 0},
    {"x = ':'", 0},
    {"x = '\\':", 0},
    {"x = '''a:", 0},
    {"x = '''a\n  b:", 0},
    {"  x = ''''':'''\n    if x:", 8},
    {"'it\nif x:", 4},
    {"if x:\n", 0},
    {"'''a'''\n  x", 2},
    {"'':", 4},
    {"x[1:'a'", 0},
    {"x = \"#\":", 4},
    {"如果：", 4},
    {"x = y[1:", 4},
};

START_TEST(each_indent) {
    ck_assert_uint_eq(line_next_indent(indents[_i].line, strlen(indents[_i].line)),
                      indents[_i].indent);
}
END_TEST

/* The last line, and the blanks it should begin with. */
static const struct {
    const char *text;
    size_t indent;
} clauses[] = {
    {"if a:\n    b\n    else:", 0},
    {"if a:\n    b\n    elif c: d", 0},
    {"try:\n    b\n    except:", 0},
    {"try:\n    b\n    except name as x: c", 0},
    {"if a:\n    b\n\n    else：", 0},
    {"for a in b:\n    if a:\n        c\n        else:", 4},
    {"if a:\n\tb\n\telse:", 0},
    {"if a:\n    b\nelif c:\n    d\n    else:", 0},
    {"for a in b:\n    c\n    else:", 0},
    {"try:\n    b\nexcept:\n    c\n    finally:", 0},
    {"try:\n    b\nexcept:\n    c\n    else:", 0},
    /* rightly there */
    {"if a:\n    if b: c\n    else: d", 4},
    {"if a:\n    if b:\n        c\n    else:", 4},
    {"if a:\n    b\nelse:", 0},
    {"with a:\n    c\n    else:", 4},
    {"if a:\n    b\n    except:", 4},
    {"if a:\n    b\n    elsewhere = 1", 4},
    {"if a:\n    b = \"\"\"\n    c\n    else:", 4},
    {"    else:", 4},
    {"if a:\n    else:", 4},
};

START_TEST(each_clause) {
    const char *text = clauses[_i].text;
    size_t length = strlen(text);
    ck_assert_uint_eq(line_clause_indent(text, length, line_around(text, length, length)),
                      clauses[_i].indent);
}
END_TEST

START_TEST(lines_of_a_text) {
    const char text[] = "ab\n\n查询c";
    size_t length = sizeof text - 1;
    Span line = line_around(text, length, 1);
    ck_assert(line.begin == 0 && line.end == 2 && !line_above(text, length, &line));
    ck_assert(line_below(text, length, &line) && line.begin == 3 && line.end == 3);
    ck_assert(line_below(text, length, &line) && line.begin == 4 && line.end == length &&
              !line_below(text, length, &line));
}
END_TEST

Suite *editor_suite(void) {
    Suite *suite = suite_create("editor");
    TCase *cases = tcase_create("editor");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, each_entry, 0, sizeof entries / sizeof *entries);
    tcase_add_test(cases, each_failing_allocation);
    tcase_add_loop_test(cases, each_indent, 0, sizeof indents / sizeof *indents);
    tcase_add_loop_test(cases, each_clause, 0, sizeof clauses / sizeof *clauses);
    tcase_add_test(cases, lines_of_a_text);
    suite_add_tcase(suite, cases);
    return suite;
}
