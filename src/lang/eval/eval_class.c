/* The statement class, super(), and the objects that a class makes. */
#include "base/memory.h"
#include "lang/class.h"
#include "lang/eval/eval.h"
#include "lang/token.h"

#include <string.h>

/* ---- class ---- */

/* The classes that another one extends, as a list: object and its like say nothing. *out is
 * released by the caller, on failure too. */
static bool eval_bases(Frame *frame, const Node *node, Value *out, const BuiltinDef **holds,
                       Error *err) {
    const NodeList *bases = &node->class.bases;
    if (!value_list_new(out, VALUE_LIST, (size_t)bases->count, err)) return false;
    for (int i = 0; i < bases->count; i++) {
        LocalValue base = VALUE_MISSING;
        if (!eval(frame, bases->items[i], &base, err)) return false;
        if (base.kind == VALUE_BUILTIN &&
            words_contain("dict list tuple str set", base.builtin->name,
                          strlen(base.builtin->name))) {
            *holds = base.builtin;
            continue;
        }
        if (base.kind != VALUE_CLASS) {
            error_set(err, ERR_TYPE, "a class extends a class, not %s", value_words(&base));
            return place_error(frame, bases->items[i], err);
        }
        if (base.class != frame->interp->object_class.class && !list_append(out->list, base, err))
            return false;
    }
    return true;
}

bool run_definitions(Interp *interp, Chunk *chunk, const FunctionCode *code, const Value *outer,
                     Class *class, Record *fields, Error *err) {
    LocalMemory Value *slots = mem_zeroed((size_t)code->slot_count, sizeof *slots, err);
    if (!slots) return false;
    for (int i = 0; i < code->capture_count; i++)
        slots[code->captures[i].to] = value_ref(outer[code->captures[i].from]);
    Frame frame = frame_of_body(interp, chunk, code, slots);
    bool ok = make_cells(slots, code->cells, code->cell_count, err) && enter(interp, err);
    if (ok) {
        ok = run_statements(&frame, &code->body, err) != FLOW_ERROR;
        leave(interp);
    }
    for (int i = 0; ok && i < code->parameter_count; i++) {
        Symbol *name = code->parameters[i].name;
        const Value *value = &slots[code->parameters[i].slot];
        if (value->kind == VALUE_CELL) value = &value->cell->value;
        if (value->kind == VALUE_UNSET) continue;
        ok = class ? class_set(class, name, value, err)
                   : fields_set(fields, name->text, *value, err);
    }
    for (int i = 0; i < code->slot_count; i++) drop(&slots[i]);
    return ok;
}

bool apply_decorators(Frame *frame, const NodeList *decorators, Value *decorated, Error *err) {
    for (int i = decorators->count - 1; i >= 0; i--) {
        const Node *node = decorators->items[i];
        LocalValue decorator = VALUE_MISSING;
        Value result;
        if (!eval(frame, node, &decorator, err)) return false;
        if (!interp_call(frame->interp, &decorator, decorated, 1, &result, err))
            return place_error(frame, node, err);
        value_replace(decorated, result);
    }
    return true;
}

/* Calls __set_name__ of the descriptors among the members of a class. */
static bool name_descriptors(const Value *class, Error *err) {
    const Record *members = class->class->parts[1].record;
    bool ok = true, found;
    for (size_t i = 0; ok && i < members->count; i++) {
        const Value both[] = {*class, members->keys[i]};
        LocalValue result = VALUE_MISSING;
        ok = call_special(&members->values[i], SPECIAL_SET_NAME, both, 2, &found, &result, err);
    }
    return ok;
}

/* Calls __init_subclass__ of a class that the new one extends. */
static bool tell_base(Interp *interp, const Value *class, Error *err) {
    const Symbol *name = interp->specials[SPECIAL_INIT_SUBCLASS];
    const Value *method = class_find_behind(class->class, class->class, name->text);
    if (!method) return true;
    if (method->kind == VALUE_METHOD) method = &method->method->parts[1];
    LocalValue held = value_ref(*method), result = VALUE_MISSING;
    return interp_call(interp, &held, class, 1, &result, err);
}

bool run_class(Frame *frame, const Node *node, Error *err) {
    FunctionCode *code = node->class.body;
    LocalValue bases = VALUE_MISSING;
    const BuiltinDef *holds = NULL;
    Value class;
    if (interp_leaves_out(frame->interp, err) || !eval_bases(frame, node, &bases, &holds, err) ||
        !class_new(frame->interp, code->name, bases.list->items, bases.list->count, &class, err))
        return false;
    class.class->chunk = chunk_ref(frame->chunk);
    class.class->body = code;
    if (holds) class.class->holds = holds;
    if (!run_definitions(frame->interp, frame->chunk, code, frame->slots, class.class, NULL, err) ||
        !name_descriptors(&class, err) || !tell_base(frame->interp, &class, err) ||
        !apply_decorators(frame, &node->class.decorators, &class, err))
        return value_if(false, &class);
    return assign(frame, node->class.target, &class, err);
}

/* ---- super ---- */

bool eval_super(Frame *frame, Value *out, Error *err) {
    const FunctionCode *code = frame->code;
    const FunctionCode *owner = code ? code->owner : NULL;
    if (!owner || code->positional == 0) {
        error_set(err, ERR_TYPE, "super() belongs in a method of a class that extends another");
        return error_hint(err, "super(Base, self).method() says both.");
    }
    const Value *self = &frame->slots[code->parameters[0].slot];
    if (self->kind == VALUE_CELL) self = &self->cell->value;
    const Class *class = self->kind == VALUE_CLASS ? self->class : class_of(self);
    size_t i = 0;
    while (class && class_line(class, i) && class_line(class, i)->body != owner) i++;
    if (!class || !class_line(class, i))
        return error_set(err, ERR_TYPE, "super(): %s is no object of %s",
                         code->parameters[0].name->name, owner->name->name);
    const Value from = {.kind = VALUE_CLASS, .class = (Class *)class_line(class, i)};
    return method_new(METHOD_SUPER, self, &from, out, err);
}

/* ---- objects ---- */

const Value *plain_init(Class *class) {
    if (class->plain_changes == class_changes) return class->plain_init;
    const Value *init = class_special(class, SPECIAL_INIT);
    const bool plain = init && init->kind == VALUE_FUNCTION && !class->exception &&
                       !class_special(class, SPECIAL_NEW) && !class_abstract(class, NULL);
    class->plain_init = plain ? init : NULL;
    class->plain_changes = class_changes;
    return class->plain_init;
}

/* Makes the object, by __new__ where there is one. */
static bool make_object(Interp *interp, const Value *value, Arguments *arguments, Value *out,
                        Error *err) {
    Class *class = value->class;
    const Value *maker = class_special(class, SPECIAL_NEW);
    const char *abstract = class_abstract(class, NULL);
    if (abstract) {
        LocalText names = TEXT_EMPTY;
        for (const char *name = abstract; name; name = class_abstract(class, name))
            text_format(&names, "%s%s", names.length > 0 ? ", " : "", name);
        bool several = class_abstract(class, abstract);
        error_set(err, ERR_TYPE,
                  several ? "Can't instantiate abstract class %s with abstract methods %s"
                          : "Can't instantiate abstract class %s with abstract method %s",
                  class->name->name, names.data);
        return error_hint(err, "Make an object of a class that extends it and defines %s.",
                          abstract);
    }
    if (!maker) return instance_new(class, out, err);
    if (maker->kind == VALUE_METHOD) maker = &maker->method->parts[1];
    LocalArguments copies;
    arguments_init(&copies);
    if (!arguments_add(&copies, value_ref(*value), NULL, NULL, err)) return false;
    for (int i = 0; i < arguments->count; i++) {
        const Argument *argument = &arguments->items[i];
        if (!arguments_add(&copies, value_ref(argument->value), argument->keyword, NULL, err))
            return false;
    }
    return call_value(interp, maker, &copies, out, err);
}

bool instantiate(Interp *interp, const Value *value, Arguments *arguments, Value *out, Error *err) {
    Class *class = value->class;
    if (!make_object(interp, value, arguments, out, err)) return false;
    if (!class_of(out) || !class_extends(class_of(out), class)) return true;
    const Value *init = class_special(class, SPECIAL_INIT);
    if (class->exception) {
        LocalValue given = VALUE_MISSING;
        bool ok = value_list_new(&given, VALUE_TUPLE, 0, err);
        for (int i = 0; ok && i < arguments->count; i++)
            if (!arguments->items[i].keyword)
                ok = list_append(given.list, arguments->items[i].value, err);
        ok = ok && fields_set(out->record, interp->specials[SPECIAL_ARGS]->text, given, err);
        if (!init || !ok) return value_if(ok, out);
    }
    if (class->holds && !init && !class_special(class, SPECIAL_NEW))
        return value_if(instance_fill(interp, out, arguments, err), out);
    if (!init) {
        if (arguments->count == 0 || class_special(class, SPECIAL_NEW)) return true;
        error_set(err, ERR_TYPE, "%s() takes no arguments", class->name->name);
        error_hint(err, "A method __init__(self, ...) of %s takes them.", class->name->name);
        return value_if(false, out);
    }
    LocalValue held = value_ref(*init), result = VALUE_MISSING;
    return value_if(arguments_prepend(arguments, out, err) &&
                        call_value(interp, &held, arguments, &result, err),
                    out);
}
