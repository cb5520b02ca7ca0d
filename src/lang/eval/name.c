#include "lang/eval/eval.h"
#include "lang/foreign.h"

#include <ctype.h>
#include <string.h>

/* ---- what an unknown name may have meant ---- */

static bool is_identifier(const char *text) {
    while (isalnum((unsigned char)*text) || *text == '_') text++;
    return *text == '\0';
}

/* A sentence, or a template as an example. */
static bool hint_foreign(const char *here, Error *err) {
    if (is_identifier(here)) return error_hint(err, "Here it is called %s.", here);
    if (!foreign_is_template(here)) return error_hint(err, "%s", here);
    Text text;
    text_init(&text);
    foreign_write_example(&text, here);
    if (!text.failed && text.length > 0) error_hint(err, "write %s", text.data);
    text_release(&text);
    return false;
}

/* The setting that has the word among its values, and the command that changes it; NULL: none, or
 * several. */
const CommandSyntax *setting_of_word(const Interp *interp, const char *word,
                                     const CommandSyntax **command) {
    const CommandSyntax *found = NULL;
    for (*command = interp->hooks.commands; *command && (*command)->name && !(*command)->sub;
         ++*command) {}
    for (const CommandSyntax *setting = *command ? (*command)->sub : NULL; setting && setting->name;
         setting++) {
        if (!command_has_word(setting, word, strlen(word))) continue;
        if (found) return NULL;
        found = setting;
    }
    return found;
}

static bool hint_command(const Interp *interp, const char *name, Error *err) {
    const CommandSyntax *rows = interp->hooks.commands,
                        *command = command_find(rows, name, strlen(name));
    if (command && command->value)
        return error_hint(err, "%s is a command; its value is %s", name, command->value), true;
    if (command)
        return error_hint(
                   err,
                   "%s is a command: it begins a line, and spaces stand between its arguments.",
                   name),
               true;
    command = command_of_setting(rows, name);
    if (command)
        return error_hint(err, "%s is a setting: show %s, %s %s VALUE", name, name, command->name,
                          name),
               true;
    const CommandSyntax *setting = setting_of_word(interp, name, &command);
    if (setting) error_hint(err, "did you mean: %s %s %s", command->name, setting->name, name);
    return setting != NULL;
}

static bool is_array(const Interp *interp, const char *name, size_t length) {
    char word[32];
    if (length == 0 || length >= sizeof word) return false;
    memcpy(word, name, length);
    word[length] = '\0';
    const Symbol *symbol = interp_find(interp, word);
    return symbol && value_is_array(&symbol->value);
}

/* KT, from a paper's K with a T above, and QK side by side. */
static bool hint_joined(const Interp *interp, const char *name, Error *err) {
    size_t length = strlen(name);
    if (length < 2 || !is_array(interp, name, length - 1)) return false;
    if (name[length - 1] == 'T')
        return error_hint(err, "the transpose of %.*s is %.*s.T", (int)length - 1, name,
                          (int)length - 1, name),
               true;
    if (length != 2 || !is_array(interp, name + 1, 1)) return false;
    return error_hint(err, "a product is written with *, a matrix product with @: %c @ %c", name[0],
                      name[1]),
           true;
}

bool unknown_name(const Interp *interp, const char *name, Error *err) {
    const char *here = foreign_name(name);
    error_set(err, ERR_NAME, "%s is not defined", name);
    if (here) return hint_foreign(here, err);
    if (hint_command(interp, name, err) || hint_joined(interp, name, err)) return false;
    if (foreign_module(name)) return hint_foreign(foreign_module(name), err);
    if (foreign_statement(name)) return hint_foreign(foreign_statement(name), err);
    const char *near = interp_nearest(interp, name, NULL);
    return near ? error_hint(err, "Did you mean %s?", near) : false;
}

/* ---- names ---- */

static bool no_value_yet(const Frame *frame, const char *name, Error *err) {
    if (!frame->code) return error_set(err, ERR_NAME, "%s has no value yet", name);
    if (!frame->code->name)
        return error_set(err, ERR_NAME, "%s has no value yet in this lambda", name);
    error_set(err, ERR_NAME, "%s has no value yet in %s", name, frame->code->name->name);
    return error_hint(
        err, "A name that a function assigns is its own; pass the outer value in as an argument.");
}

/* A name that has no value of its own may be a builtin's. */
static bool builtin_value(const Frame *frame, const Symbol *symbol, Value *out, Error *err) {
    const BuiltinDef *builtin = symbol->builtin;
    if (!builtin) return unknown_name(frame->interp, symbol->name, err);
    if (builtin->call) *out = (Value){.kind = VALUE_BUILTIN, .builtin = builtin};
    else *out = value_number(builtin->constant);
    return true;
}

bool eval_name(Frame *frame, const Node *node, Value *out, Error *err) {
    const Value *value = name_place(frame, node);
    if (value->kind != VALUE_UNSET) {
        *out = value_ref(*value);
        return true;
    }
    if (node->name.slot >= 0) return no_value_yet(frame, node->name.symbol->name, err);
    return builtin_value(frame, node->name.symbol, out, err);
}
