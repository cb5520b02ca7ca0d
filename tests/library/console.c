#include "tests/library/console.h"

#include "lang/parser.h"
#include "library/library.h"

#include <check.h>
#include <string.h>

static bool keep(Host *host, const char *text, size_t length, Error *err) {
    text_bytes(host->self, text, length);
    return text_ok(host->self, err);
}

static void ignore_note(Host *host, const char *text) { (void)host, (void)text; }

static bool show(void *context, const Value *value, Error *err) {
    Console *console = context;
    value_write(&console->output, value, console->interp.digits, value->kind == VALUE_STRING);
    text_char(&console->output, '\n');
    return text_ok(&console->output, err);
}

static const CommandSyntax no_commands[] = {{0}};

bool console_init(Console *console, const char *directory, Error *err) {
    text_init(&console->output);
    console->host = (Host){
        .self = &console->output, .write = keep, .note = ignore_note, .columns = 80, .utf8 = true};
    InterpHooks hooks = {
        .context = console, .commands = no_commands, .modules = module_texts, .show = show};
    if (!interp_init(&console->interp, &console->host, library_tables, &hooks, err)) return false;
    console->interp.directory = directory;
    return true;
}

void console_release(Console *console) {
    interp_release(&console->interp);
    text_release(&console->output);
}

bool console_run(Console *console, const char *text, Error *err) {
    Chunk *chunk = NULL;
    text_release(&console->output);
    text_init(&console->output);
    if (parse(&console->interp, "", text, strlen(text), false, &chunk, err) != PARSE_OK)
        return false;
    bool ok = true;
    for (int i = 0; ok && i < chunk->entry_count; i++) {
        interp_begin_entry(&console->interp);
        ok = interp_run_entry(&console->interp, chunk, i, err);
        Journal journal = interp_end_entry(&console->interp);
        journal_release(&journal);
    }
    chunk_unref(chunk);
    return ok;
}

double console_number(Console *console, const char *expression) {
    Error err = {0};
    Value value = VALUE_MISSING;
    bool ok = interp_evaluate(&console->interp, expression, &value, &err);
    ck_assert_msg(ok, "%s: %s", expression, err.message);
    ck_assert_msg(value.kind == VALUE_NUMBER || value.kind == VALUE_BOOL, "%s is a %s", expression,
                  value_kind_word(&value));
    return value.kind == VALUE_BOOL ? value.boolean : value.number;
}

void console_expect_error(Console *console, const char *text, ErrorKind kind, const char *part) {
    Error err = {0};
    ck_assert_msg(!console_run(console, text, &err), "%s: no error", text);
    ck_assert_msg(err.kind == kind, "%s: %s error: %s", text, error_kind_word(err.kind),
                  err.message);
    ck_assert_msg(strstr(err.message, part) || strstr(err.hint, part),
                  "%s: \"%s\" (%s) lacks \"%s\"", text, err.message, err.hint, part);
}
