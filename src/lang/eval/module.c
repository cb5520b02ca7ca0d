/* Modules of Python that are written in the language: run when they are imported first. */
#include "base/nearest.h"
#include "lang/eval/eval.h"
#include "lang/parser.h"
#include "lang/remedy.h"
#include "lang/token.h"

#include <string.h>

static const char builtins_begin[] = "# Built in: ";

const ModuleText *module_find(const Interp *interp, const char *name, size_t length) {
    const ModuleText *row = interp->hooks.modules;
    for (; row && row->name; row++)
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0) return row;
    return NULL;
}

/* The builtin that belongs to the module behind the one at `word`, after NULL the first; "*": all
 * functions. NULL: there are no more. */
static const char *next_builtin(const ModuleText *module, const char *word, size_t *length) {
    const size_t begin = sizeof builtins_begin - 1;
    if (!word && strncmp(module->text, builtins_begin, begin) != 0) return NULL;
    word = word ? word + *length : module->text + begin;
    word += strspn(word, " ");
    *length = strcspn(word, " \n");
    return *length > 0 ? word : NULL;
}

bool module_has_builtin(const ModuleText *module, const char *name) {
    const char *word = NULL;
    for (size_t length; (word = next_builtin(module, word, &length)) != NULL;)
        if (*word == '*' || (strlen(name) == length && memcmp(name, word, length) == 0))
            return true;
    return false;
}

const BuiltinDef *module_version(const char *module, size_t length, const BuiltinDef *builtin) {
    if (length == 8 && memcmp(module, "builtins", length) == 0) return builtin;
    if (builtin->pythons && token_names_python(module, length)) return builtin->pythons;
    return builtin->numpys ? builtin->numpys : builtin;
}

/* Sets an attribute for each function of the library, and for each number. */
static bool add_all_builtins(Interp *interp, const ModuleText *module, Record *names, Error *err) {
    for (const BuiltinDef *const *table = interp->tables; *table; table++)
        for (const BuiltinDef *row = *table; row->name; row++) {
            LocalValue value = VALUE_MISSING;
            if (row->receiver || row->make || row->indexed) continue;
            Symbol *symbol = interp_symbol(interp, row->name, strlen(row->name), err);
            const BuiltinDef *own = module_version(module->name, strlen(module->name), row);
            if (!symbol || !symbol_text(symbol, err) || !builtin_value(interp, own, &value, err) ||
                !fields_set(names, symbol->text, value, err))
                return false;
        }
    return true;
}

/* Sets the attributes of the module that are built in. */
static bool add_builtins(Interp *interp, const ModuleText *module, Record *names, Error *err) {
    const char *word = NULL;
    for (size_t length; (word = next_builtin(module, word, &length)) != NULL;) {
        if (*word == '*') return add_all_builtins(interp, module, names, err);
        LocalValue value = VALUE_MISSING;
        Symbol *symbol = interp_symbol(interp, word, length, err);
        if (!symbol || !symbol_text(symbol, err)) return false;
        bool ok = symbol->builtin ? builtin_value(interp, symbol->builtin, &value, err)
                                  : interp_evaluate(interp, symbol->name, &value, err);
        if (!ok || !fields_set(names, symbol->text, value, err)) return false;
    }
    return true;
}

/* Sets __name__ and __doc__. */
static bool add_doc(const ModuleText *module, Record *names, Error *err) {
    LocalText words = TEXT_EMPTY;
    LocalValue doc = VALUE_MISSING;
    text_format(&words, "The module %s, as far as attn has it.", module->name);
    LocalValue name = VALUE_MISSING;
    return text_ok(&words, err) && value_string(&doc, words.data, words.length, err) &&
           value_string(&name, module->name, strlen(module->name), err) &&
           record_set(names, "__name__", name, err) && record_set(names, "__doc__", doc, err);
}

/* An object of a class of its own, so that errors name the module. */
static bool make_module(Interp *interp, const ModuleText *module, Value *out, Error *err) {
    LocalValue class = VALUE_MISSING;
    Symbol *name = interp_symbol(interp, module->name, strlen(module->name), err);
    Chunk *chunk = NULL;
    if (!name || !class_new(interp, name, NULL, 0, &class, err) ||
        !instance_new(class.class, out, err))
        return false;
    bool ok = parse_module_text(interp, module, &chunk, err) == PARSE_OK;
    ok = ok && add_doc(module, out->record, err) &&
         add_builtins(interp, module, out->record, err) &&
         run_definitions(interp, chunk, chunk->module, NULL, NULL, out->record, err);
    chunk_unref(chunk);
    return value_if(ok, out);
}

bool value_is_module(const Interp *interp, const Value *value) {
    if (value->kind != VALUE_INSTANCE || interp->imported.kind != VALUE_RECORD) return false;
    const Value *module = record_get(interp->imported.record, class_of(value)->name->name);
    return module && module->record == value->record;
}

bool interp_module(Interp *interp, const ModuleText *module, Value *out, Error *err) {
    if (interp->imported.kind == VALUE_UNSET && !value_record_new(&interp->imported, err))
        return false;
    const Value *before = record_get(interp->imported.record, module->name);
    if (before) {
        *out = value_ref(*before);
        return true;
    }
    /* A module stays imported when the entry is taken back, so its values belong to no entry. */
    const uint64_t entry = values_entry;
    values_entry = 0;
    bool ok = make_module(interp, module, out, err);
    values_entry = entry;
    if (!ok) return false;
    return value_if(record_set(interp->imported.record, module->name, *out, err), out);
}

/* Proposes `import math` for `import pandas, math`. False: pandas is alone there, or the rest would
 * fail. */
static bool propose_other_imports(const Frame *frame, const Node *missing, Error *err) {
    const char *text = frame->chunk->text;
    Span part = missing->span;
    while (part.begin > 0 && text[part.begin - 1] == ' ') part.begin--;
    if (part.begin > 0 && text[part.begin - 1] == ',') {
        part.begin--;
    } else {
        part.begin = missing->span.begin;
        part.end += strspn(text + part.end, " ");
        if (text[part.end] != ',') return false;
        part.end += 1 + strspn(text + part.end + 1, " ");
    }
    return !frame->code && propose_part(frame, part, "", err);
}

/* Fails: there is no module of the name that the node spans. */
static bool module_missing(const Frame *frame, const Node *node, Error *err) {
    Quote name = quote_node(frame, node);
    const char *hint = foreign_word(FOREIGN_IMPORTS, name.text);
    Nearest nearest;
    nearest_begin(&nearest, name.text, strlen(name.text));
    for (const ModuleText *row = frame->interp->hooks.modules; row && row->name; row++)
        nearest_offer(&nearest, row->name);
    error_set(err, ERR_NAME, "%s cannot be imported: there is no such module here", name.text);
    error_python(err, "No module named '%s'", name.text);
    error_mark(err, "ModuleNotFoundError");
    if (propose_other_imports(frame, node, err)) return false;
    if (hint) return error_hint(err, "%s", hint);
    if (nearest.found) return error_hint(err, "did you mean %s?", nearest.found);
    return error_hint(err,
                      "leave the line out; help lists what is built in, and run \"%s.py\" runs a "
                      "file of your own",
                      name.text);
}

bool eval_module(Frame *frame, const Node *node, Value *out, Error *err) {
    if (!node->module.text) return module_missing(frame, node, err);
    Symbol *member = node->module.member;
    LocalValue module = VALUE_MISSING;
    if (!member) return interp_module(frame->interp, node->module.text, out, err);
    if (!interp_module(frame->interp, node->module.text, &module, err)) return false;
    if (member_attribute(frame->interp, &module, member, out, err)) return true;
    error_python(err, "cannot import name '%s' from '%s' (unknown location)", member->name,
                 node->module.text->name);
    return error_mark(err, "ImportError");
}

/* The module of Python's that a name means, np or math, which no variable holds. NULL: none. */
static const ModuleText *module_named(const Interp *interp, const char *name) {
    if (strcmp(name, "np") == 0) name = "numpy";
    return module_find(interp, name, strlen(name));
}

bool eval_module_name(Frame *frame, const Symbol *symbol, bool *found, Value *out, Error *err) {
    const ModuleText *module =
        frame->chunk->python && token_names_module(symbol->name, strlen(symbol->name))
            ? module_named(frame->interp, symbol->name)
            : NULL;
    *found = module != NULL;
    return *found && interp_module(frame->interp, module, out, err);
}

bool eval_receiver(Frame *frame, const Node *attribute, Value *out, Error *err) {
    const Node *receiver = attribute_receiver(attribute);
    const Symbol *symbol = attribute->attribute.symbol;
    if (receiver != attribute->attribute.object || !attribute->attribute.member ||
        symbol->builtin || receiver->name.symbol->value.kind != VALUE_UNSET)
        return eval(frame, receiver, out, err);
    const ModuleText *module = module_named(frame->interp, receiver->name.symbol->name);
    if (module) {
        if (!interp_module(frame->interp, module, out, err)) return false;
        if (fields_find(out->record, symbol->text)) return true;
        drop(out);
    }
    return eval(frame, receiver, out, err);
}
