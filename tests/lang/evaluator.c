#include "tests/lang/evaluator.h"

#include "lang/parser.h"

#include <check.h>
#include <string.h>

/* ---- builtins ---- */

/* Writes its arguments as they arrived: "(1, None)(rest)". */
static bool echo(const Call *call, Value *out, Error *err) {
    Text text;
    text_init(&text);
    for (int i = 0; i < 3 && call->arguments[i].kind != VALUE_UNSET; i++) {
        if (i > 0) text_char(&text, ' ');
        if (call->arguments[i].kind == VALUE_TENSOR && call->arguments[i].tensor->shape.axes == 0)
            text_string(&text, "0-d ");
        value_write(&text, &call->arguments[i], 6, true);
    }
    for (size_t i = 0; i < call->rest_count; i++) {
        text_string(&text, i ? " " : "*");
        value_write(&text, &call->rest[i], 6, true);
    }
    return value_text(out, &text, err);
}

static bool give_range(const Call *call, Value *out, Error *err) {
    (void)call;
    (void)out;
    return error_set(err, ERR_TYPE, "range was called");
}

static bool call_it(const Call *call, Value *out, Error *err) {
    return interp_call(call->interp, &call->arguments[0], &call->arguments[1], 1, out, err);
}

static bool upper(const Call *call, Value *out, Error *err) {
    Text text;
    text_init(&text);
    text_string(&text, call->arguments[0].string->data);
    for (size_t i = 0; i < text.length; i++) text.data[i] = (char)(text.data[i] & ~0x20);
    return value_text(out, &text, err);
}

static const BuiltinDef rows[] = {
    {.name = "pi", .constant = 3.5},
    {.name = "typed", .parameters = "x:array y:number=1 axis:axis=-1", .call = echo},
    {.name = "whole", .parameters = "n:whole flag:bool=False word:text?=None", .call = echo},
    {.name = "shaped", .parameters = "shape:shape of:list?=None name:record?=None", .call = echo},
    {.name = "rest", .parameters = "first:any *more:whole last:any=\"a b\"", .call = echo},
    {.name = "named", .parameters = "**fields:any", .call = echo},
    {.name = "limits", .parameters = "a:number=inf b:number=-1e-5 c:any=True", .call = echo},
    {.name = "call_it", .parameters = "f:function x:any", .call = call_it},
    {.name = "range", .parameters = "n:any", .call = give_range},
    {.name = "exp", .parameters = "x:array", .call = echo, .op = OP_EXP},
    {.name = "upper", .receiver = "string", .parameters = "text:text", .call = upper},
    {.name = "append",
     .receiver = "list",
     .parameters = "xs:any value:any",
     .call = echo,
     .changes_receiver = true},
    {.name = NULL},
};

static const BuiltinDef *const tables[] = {rows, NULL};

/* ---- commands ---- */

static const CommandSyntax commands[] = {
    {.name = "say", .words = "loudly then"},
    {.name = "whole_line", .expression = true},
    {.name = NULL},
};

static bool say(CommandCall *call, Text *shown, Error *err) {
    double number;
    Value value;
    bool loud = command_take(call, "loudly");
    if (!command_number(call, "the number", &number, err)) return false;
    text_format(shown, "%s%g%s%s\n", loud ? "!" : "", number, call->quiet ? " quiet" : "",
                call->top_level ? "" : " inside");
    while (command_take(call, "then")) {
        if (!command_value(call, "what comes then", &value, err)) return false;
        value_write(shown, &value, 6, true);
        text_char(shown, '\n');
        value_release(&value);
    }
    return command_finish(call, err);
}

static bool run_command(void *context, CommandCall *call, Error *err) {
    Text *shown = context;
    Value value;
    if (strcmp(call->node->command.name, "say") == 0) return say(call, shown, err);
    if (!command_string(call, "the text", &value, err)) return false;
    text_string(shown, value.string->data);
    value_release(&value);
    return command_finish(call, err);
}

static bool show(void *context, const Value *value, Error *err) {
    Text *shown = context;
    value_write(shown, value, 6, true);
    text_char(shown, '\n');
    return text_ok(shown, err);
}

/* ---- running ---- */

void evaluator_init(Evaluator *evaluator) {
    InterpHooks hooks = {.context = &evaluator->shown,
                         .commands = commands,
                         .run_command = run_command,
                         .show = show};
    text_init(&evaluator->shown);
    evaluator->err = (Error){.kind = ERR_NONE};
    ck_assert(interp_init(&evaluator->interp, NULL, tables, &hooks, &evaluator->err));
    evaluator->interp.digits = 6;
}

void evaluator_release(Evaluator *evaluator) {
    interp_release(&evaluator->interp);
    text_release(&evaluator->shown);
}

static bool run_entry(Evaluator *evaluator, Chunk *chunk, int index) {
    interp_begin_entry(&evaluator->interp);
    bool ok = interp_run_entry(&evaluator->interp, chunk, index, &evaluator->err);
    Journal journal = interp_end_entry(&evaluator->interp);
    if (!ok) journal_apply(&journal);
    journal_release(&journal);
    return ok;
}

bool evaluator_run(Evaluator *evaluator, const char *text) {
    Chunk *chunk;
    text_clear(&evaluator->shown);
    evaluator->err = (Error){.kind = ERR_NONE};
    if (parse(&evaluator->interp, "", text, strlen(text), false, &chunk, &evaluator->err) !=
        PARSE_OK)
        return false;
    bool ok = true;
    for (int i = 0; ok && i < chunk->entry_count; i++) ok = run_entry(evaluator, chunk, i);
    chunk_unref(chunk);
    return ok;
}

const char *evaluator_shows(Evaluator *evaluator, const char *text) {
    Text *shown = &evaluator->shown;
    if (!evaluator_run(evaluator, text)) {
        text_clear(shown);
        text_format(shown, "%s error: %s", error_kind_word(evaluator->err.kind),
                    evaluator->err.message);
    } else if (shown->length > 0 && shown->data[shown->length - 1] == '\n') {
        shown->data[--shown->length] = 0;
    }
    return shown->data;
}
