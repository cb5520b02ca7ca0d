/* Dataclasses: classes whose fields are listed in their body, x: float = 0. */
#include "lang/class.h"
#include "lang/eval/eval.h"

#include <string.h>

/* ---- fields ---- */

bool field_new(const Value *fallback, const Value *factory, FieldOptions options, Value *out,
               Error *err) {
    if (!method_new(METHOD_FIELD, fallback, factory, out, err)) return false;
    out->method->options = options;
    return true;
}

const Record *class_fields(const Class *class) {
    const Value *fields = class ? class_special(class, SPECIAL_FIELDS) : NULL;
    return fields && fields->kind == VALUE_RECORD ? fields->record : NULL;
}

bool set_fields(Interp *interp, const Function *function, const Value *slots, Error *err) {
    const FunctionCode *code = function->code;
    const Value *self = &slots[0];
    const Record *fields = class_fields(class_of(self));
    if (!fields)
        return error_set(err, ERR_TYPE, "%s is no object of a dataclass", value_words(self));
    for (size_t i = 0; i < fields->count; i++) {
        String *name = fields->keys[i].string;
        const Method *field = fields->values[i].method;
        LocalValue value = VALUE_MISSING;
        for (int k = 1; k < code->parameter_count; k++)
            if (code->parameters[k].name->text == name) value = value_ref(slots[k]);
        bool own_default = value.kind == VALUE_METHOD && value.method == field;
        if (own_default) drop(&value);
        if (value.kind == VALUE_UNSET && field->parts[1].kind == VALUE_NONE)
            value = value_ref(field->parts[0]);
        else if (value.kind == VALUE_UNSET &&
                 !interp_call(interp, &field->parts[1], NULL, 0, &value, err))
            return false;
        if (value.kind != VALUE_UNSET && !fields_set(self->record, name, value, err)) return false;
    }
    LocalValue result = VALUE_MISSING;
    bool found;
    return call_special(self, SPECIAL_POST_INIT, NULL, 0, &found, &result, err);
}

/* The text of the type behind a name, x: float = 0. */
static const char *type_text(const Class *class, const Node *name) {
    const char *text = class->chunk->text + name->span.end;
    return text + strspn(text, " :");
}

bool class_annotations(const Class *class, Value *out, Error *err) {
    const NodeList *named = class->body ? &class->body->named : NULL;
    if (!value_record_new(out, err)) return false;
    for (int i = 0; named && i < named->count; i++) {
        const Node *name = named->items[i];
        LocalValue type = VALUE_MISSING;
        const char *text = type_text(class, name);
        size_t length = strcspn(text, "=#\n");
        while (length > 0 && text[length - 1] == ' ') length--;
        if (!value_string(&type, text, length, err) ||
            !record_set(out->record, name->name.symbol->name, type, err))
            return value_if(false, out);
    }
    return true;
}

/* ---- making a dataclass ---- */

/* True if the type behind a name says that it is no field: x: ClassVar[int] = 0. */
static bool is_class_variable(const Class *class, const Node *name) {
    const char *type = type_text(class, name);
    if (strncmp(type, "typing.", 7) == 0) type += 7;
    return strncmp(type, "ClassVar", 8) == 0;
}

/* Adds what the class itself lists to the fields; a default is a member of the class. */
static bool add_fields(Class *class, Record *fields, Error *err) {
    const NodeList *named = &class->body->named;
    Record *members = class->parts[1].record;
    for (int i = 0; i < named->count; i++) {
        Symbol *name = named->items[i]->name.symbol;
        const Value none = VALUE_NOTHING, unset = VALUE_MISSING;
        if (is_class_variable(class, named->items[i])) continue;
        if (!symbol_text(name, err)) return false;
        const Value *given = fields_find(members, name->text);
        bool field = given && given->kind == VALUE_METHOD && given->method->role == METHOD_FIELD;
        if (given && (given->kind == VALUE_LIST || given->kind == VALUE_RECORD)) {
            error_set(err, ERR_VALUE, "all objects of %s would share the default of %s",
                      class->name->name, name->name);
            return error_hint(err, "Write %s: list = field(default_factory=list).", name->name);
        }
        LocalValue made = VALUE_MISSING;
        if (field) made = value_ref(*given);
        else if (!field_new(given ? given : &unset, &none, (FieldOptions){true, true, true}, &made,
                            err))
            return false;
        if (!fields_set(fields, name->text, made, err)) return false;
        if (!field) continue;
        Value key = {.kind = VALUE_STRING, .string = name->text};
        bool ok = made.method->parts[0].kind != VALUE_UNSET
                      ? fields_set(members, name->text, made.method->parts[0], err)
                      : value_record_remove(&class->parts[1], &key, NULL, err);
        if (!ok) return false;
    }
    return true;
}

/* The function __init__ with the fields as parameters. Its code lies beside that of the class. */
static bool make_init(Class *class, const Record *fields, Value *out, Error *err) {
    Arena *arena = &class->chunk->arena;
    FunctionCode *code = arena_alloc(arena, sizeof *code, err);
    size_t room = fields->count + 1;
    FunctionParameter *parameters = arena_alloc(arena, room * sizeof *parameters, err);
    Symbol *self = interp_symbol(class->interp, "self", 4, err);
    if (!code || !parameters || !self) return false;
    int count = 1;
    parameters[0] = (FunctionParameter){.name = self};
    for (size_t i = 0; i < fields->count; i++) {
        const String *name = fields->keys[i].string;
        if (!fields->values[i].method->options.init) continue;
        Symbol *symbol = interp_symbol(class->interp, name->data, name->length, err);
        if (!symbol) return false;
        parameters[count] = (FunctionParameter){.name = symbol, .slot = count};
        count++;
    }
    *code = (FunctionCode){.name = class->interp->specials[SPECIAL_INIT],
                           .parameters = parameters,
                           .parameter_count = count,
                           .positional = count,
                           .rest = -1,
                           .keywords = -1,
                           .slot_count = count,
                           .sets_fields = true,
                           .method = true,
                           .owner = class->body,
                           .span = class->body->span};
    if (!function_new(class->chunk, code, out, err)) return false;
    for (int k = 1; k < count; k++) {
        const Value *value = fields_find(fields, parameters[k].name->text);
        const Value *parts = value->method->parts;
        if (parts[1].kind != VALUE_NONE) out->function->fallbacks[k] = value_ref(*value);
        else out->function->fallbacks[k] = value_ref(parts[0]);
        if (k > 1 && out->function->fallbacks[k].kind == VALUE_UNSET &&
            out->function->fallbacks[k - 1].kind != VALUE_UNSET) {
            error_set(err, ERR_TYPE, "the field %s has no default, but the field before it has one",
                      parameters[k].name->name);
            return value_if(false, out);
        }
    }
    return true;
}

bool class_list_fields(Class *class, Error *err) {
    LocalValue fields = VALUE_MISSING, init = VALUE_MISSING;
    const Record *inherited = class_fields(class); /* of a base: it has none of its own yet */
    if (!class->body) return error_set(err, ERR_TYPE, "dataclass is written above a class");
    if (inherited ? !value_record_copy(inherited, &fields, err) : !value_record_new(&fields, err))
        return false;
    if (!add_fields(class, fields.record, err) ||
        !class_set(class, class->interp->specials[SPECIAL_FIELDS], &fields, err))
        return false;
    Symbol *name = class->interp->specials[SPECIAL_INIT];
    if (fields_find(class->parts[1].record, name->text)) return true;
    return make_init(class, fields.record, &init, err) && class_set(class, name, &init, err);
}

/* ---- what they do by their fields ---- */

bool instance_field_values(const Value *object, Value *out, Error *err) {
    const Record *fields = class_fields(class_of(object));
    if (!value_list_new(out, VALUE_TUPLE, fields->count, err)) return false;
    for (size_t i = 0; i < fields->count; i++) {
        const Value *value = fields_find(object->record, fields->keys[i].string);
        if (value && fields->values[i].method->options.compare &&
            !list_append(out->list, *value, err))
            return value_if(false, out);
    }
    return true;
}

bool write_fields(Text *text, const Value *object, int digits) {
    const Record *fields = class_fields(class_of(object));
    bool first = true;
    if (!fields) return false;
    text_format(text, "%s(", value_words(object));
    for (size_t i = 0; i < fields->count; i++) {
        const Value *value = fields_find(object->record, fields->keys[i].string);
        if (!value || !fields->values[i].method->options.repr) continue;
        text_format(text, "%s%s=", first ? "" : ", ", fields->keys[i].string->data);
        value_write(text, value, digits, true);
        first = false;
    }
    text_char(text, ')');
    return true;
}
