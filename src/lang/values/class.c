/* Classes, objects and methods as payloads: making them, and finding attributes. */
#include "lang/class.h"

#include "base/memory.h"
#include "lang/eval/eval.h"
#include "lang/exception.h"
#include "lang/token.h"

#include <string.h>

enum { BASES_MOST = 16 };

/* ---- names ---- */

String *symbol_text(Symbol *symbol, Error *err) {
    Value text;
    if (symbol->text) return symbol->text;
    if (!value_string(&text, symbol->name, symbol->length, err)) return NULL;
    return symbol->text = text.string;
}

/* ---- making ---- */

static bool is_in(const List *line, size_t from, const Class *class) {
    for (size_t i = from; i < line->count; i++)
        if (line->items[i].class == class) return true;
    return false;
}

/* Merges the lines of the bases (C3, Barrett et al. 1996): takes the first head of a line that no
 * other line has further on, again and again. */
static bool merge_lines(Value *lines, size_t count, List *out, Error *err) {
    size_t at[BASES_MOST + 1] = {0};
    for (;;) {
        const Class *head = NULL;
        bool left = false;
        for (size_t i = 0; i < count && !head; i++) {
            const List *line = lines[i].list;
            if (at[i] == line->count) continue;
            left = true;
            head = line->items[at[i]].class;
            for (size_t k = 0; k < count && head; k++)
                if (is_in(lines[k].list, at[k] + 1, head)) head = NULL;
        }
        if (!left) return true;
        if (!head)
            return error_set(err, ERR_TYPE, "the bases have no order in which methods are found");
        if (!list_append(out, (Value){.kind = VALUE_CLASS, .class = (Class *)head}, err))
            return false;
        for (size_t i = 0; i < count; i++)
            if (at[i] < lines[i].list->count && lines[i].list->items[at[i]].class == head) at[i]++;
    }
}

/* A tuple of the classes that one with these bases extends. */
static bool make_line(const Value *bases, size_t count, Value *out, Error *err) {
    Value lines[BASES_MOST + 1] = {{0}};
    if (count > BASES_MOST)
        return error_set(err, ERR_TYPE, "a class extends at most %d others", BASES_MOST);
    bool ok = value_list_of(&lines[count], VALUE_TUPLE, bases, count, err);
    for (size_t i = 0; ok && i < count; i++) {
        ok = value_list_of(&lines[i], VALUE_TUPLE, &bases[i], 1, err);
        for (size_t k = 1; ok && class_line(bases[i].class, k); k++)
            ok = list_append(lines[i].list, bases[i].class->parts[0].list->items[k - 1], err);
    }
    ok = ok && value_list_new(out, VALUE_TUPLE, count, err);
    if (ok) ok = value_if(merge_lines(lines, count + 1, out->list, err), out);
    for (size_t i = 0; i <= count; i++) value_release(&lines[i]);
    return ok;
}

bool class_new(Interp *interp, Symbol *name, const Value *bases, size_t count, Value *out,
               Error *err) {
    Class *class = mem_zeroed(1, sizeof *class, err);
    if (!class) return false;
    shared_begin(&class->shared, VALUE_CLASS);
    class->made = ++class_changes;
    class->count = 3;
    class->name = name;
    class->interp = interp;
    *out = (Value){.kind = VALUE_CLASS, .class = class};
    if (!make_line(bases, count, &class->parts[0], err)) return value_if(false, out);
    for (size_t i = 1; class_line(class, i); i++) {
        const Class *base = class_line(class, i);
        if (!class->exception) class->exception = base->exception;
        class->stores_by_method |= base->stores_by_method;
        class->reads_by_method |= base->reads_by_method;
        class->has_properties |= base->has_properties;
        class->slots |= base->slots;
        class->frozen |= base->frozen;
        if (!class->holds) class->holds = base->holds;
        class->writes_fields |= base->writes_fields;
        class->compares_fields |= base->compares_fields;
        class->orders_fields |= base->orders_fields;
    }
    return value_if(value_record_new(&class->parts[1], err) &&
                        value_list_of(&class->parts[2], VALUE_TUPLE, bases, count, err),
                    out);
}

bool method_new(MethodRole role, const Value *first, const Value *second, Value *out, Error *err) {
    Method *method = mem_zeroed(1, sizeof *method, err);
    if (!method) return false;
    shared_begin(&method->shared, VALUE_METHOD);
    method->role = role;
    method->count = 3;
    method->parts[0] = value_ref(*first);
    method->parts[1] = value_ref(*second);
    method->parts[2] = VALUE_NOTHING;
    *out = (Value){.kind = VALUE_METHOD, .method = method};
    return true;
}

const Value *instance_value(const Value *object) {
    const Class *class = class_of(object);
    if (!class || !class->holds) return NULL;
    return fields_find(object->record, class->interp->specials[SPECIAL_VALUE]->text);
}

const Value *class_members(const Value *value) {
    const Value *members =
        value->kind == VALUE_CLASS ? class_special(value->class, SPECIAL_MEMBERS) : NULL;
    return members && members->kind == VALUE_RECORD ? members : NULL;
}

bool instance_fill(Interp *interp, const Value *object, Arguments *arguments, Error *err) {
    LocalValue value = VALUE_MISSING;
    return call_builtin(interp, class_of(object)->holds, arguments, &value, err) &&
           shared_keep(object->shared, err) &&
           fields_set(object->record, interp->specials[SPECIAL_VALUE]->text, value, err);
}

bool instance_new(Class *class, Value *out, Error *err) {
    if (!value_record_new(out, err)) return false;
    out->kind = VALUE_INSTANCE;
    out->record->class = class;
    class->shared.refs++;
    if (!class->holds) return true;
    Arguments none;
    arguments_init(&none);
    return value_if(instance_fill(class->interp, out, &none, err), out);
}

bool classes_init(Interp *interp, Error *err) {
    static const char *const names[] = {
#define SPECIAL_NAME(identifier, text) text,
        SPECIALS(SPECIAL_NAME)
#undef SPECIAL_NAME
    };
    interp->specials = mem_zeroed(SPECIAL_COUNT, sizeof *interp->specials, err);
    bool ok = interp->specials != NULL;
    for (int i = 0; ok && i < SPECIAL_COUNT; i++) {
        Symbol *symbol = interp_symbol(interp, names[i], strlen(names[i]), err);
        ok = symbol && symbol_text(symbol, err);
        interp->specials[i] = symbol;
    }
    Symbol *object = ok ? interp_symbol(interp, "object", 6, err) : NULL;
    return object && class_new(interp, object, NULL, 0, &interp->object_class, err);
}

void classes_release(Interp *interp) {
    value_release(&interp->raised);
    value_release(&interp->imported);
    value_release(&interp->object_class);
    exception_classes_release(interp);
    mem_free(interp->specials);
    interp->specials = NULL;
}

bool instance_copy(const Value *object, Value *out, Error *err) {
    const Record *fields = object->record;
    if (!instance_new(fields->class, out, err)) return false;
    for (size_t i = 0; i < fields->count; i++)
        if (!record_put(out->record, &fields->keys[i], fields->values[i], err))
            return value_if(false, out);
    return true;
}

/* ---- looking up ---- */

bool class_extends(const Class *class, const Class *base) {
    size_t i = 0;
    while (class_line(class, i) && class_line(class, i) != base) i++;
    return class_line(class, i) != NULL;
}

const Value *class_find_behind(const Class *class, const Class *owner, const String *name) {
    const Value *found = NULL;
    bool behind = !owner;
    for (size_t i = 0; class_line(class, i) && !found; i++) {
        if (behind) found = fields_find(class_line(class, i)->parts[1].record, name);
        behind = behind || class_line(class, i) == owner;
    }
    return found;
}

KnownMember known_members[MEMBERS_KNOWN];
uint64_t class_changes = 1;

const Value *class_search(const Class *class, const String *name) {
    const Value *found = fields_find(class->parts[1].record, name);
    const List *line = class->parts[0].list;
    for (size_t i = 0; !found && i < line->count; i++)
        found = fields_find(line->items[i].class->parts[1].record, name);
    return found;
}

const Value *class_special(const Class *class, Special special) {
    return class_find(class, class->interp->specials[special]->text);
}

/* ---- abstract methods ---- */

static bool is_abstract(const Value *member) {
    if (member->kind == VALUE_METHOD)
        return is_abstract(&member->method->parts[member->method->role != METHOD_PROPERTY]);
    return member->kind == VALUE_FUNCTION && member->function->abstract;
}

const char *class_abstract(const Class *class, const char *after) {
    const char *next = NULL;
    for (size_t k = 0; class_line(class, k); k++) {
        const Record *members = class_line(class, k)->parts[1].record;
        for (size_t i = 0; i < members->count; i++) {
            const String *name = members->keys[i].string;
            if (is_abstract(&members->values[i]) && is_abstract(class_find(class, name)) &&
                (!after || strcmp(name->data, after) > 0) &&
                (!next || strcmp(name->data, next) < 0))
                next = name->data;
        }
    }
    return next;
}

/* ---- what every object can do ---- */

/* object.__init__, which takes what is left over; of an error, its arguments. */
static bool init_object(const Call *call, Value *out, Error *err) {
    const Value *self = &call->arguments[0];
    const Class *class = class_of(self);
    *out = VALUE_NOTHING;
    if (class && class->holds) {
        LocalArguments arguments;
        arguments_init(&arguments);
        for (size_t i = 0; i + 1 < call->rest_count; i += 2) {
            const Value *name = &call->rest[i];
            const char *keyword = name->kind == VALUE_STRING ? name->string->data : NULL;
            if (!arguments_add(&arguments, value_ref(call->rest[i + 1]), keyword, NULL, err))
                return false;
        }
        return instance_fill(call->interp, self, &arguments, err);
    }
    if (!class || !class->exception) return true;
    LocalValue arguments = VALUE_MISSING;
    if (!value_list_new(&arguments, VALUE_TUPLE, 0, err)) return false;
    for (size_t i = 0; i + 1 < call->rest_count; i += 2)
        if (!list_append(arguments.list, call->rest[i + 1], err)) return false;
    return shared_keep(self->shared, err) &&
           fields_set(self->record, call->interp->specials[SPECIAL_ARGS]->text, arguments, err);
}

static bool new_object(const Call *call, Value *out, Error *err) {
    if (call->arguments[0].kind != VALUE_CLASS)
        return error_set(err, ERR_TYPE, "__new__ takes a class, not %s",
                         value_words(&call->arguments[0]));
    return instance_new(call->arguments[0].class, out, err);
}

/* object.__str__(x), which is repr(x) but for an error, and object.__repr__(x). */
static bool write_object(const Call *call, Value *out, Error *err) {
    const Value *self = &call->arguments[0];
    const Class *class = class_of(self);
    LocalText text = TEXT_EMPTY;
    bool plain = call->builtin->constant == 1;
    if (plain || (class && class->exception))
        instance_write_plain(&text, self, call->interp->digits, plain);
    else value_write(&text, self, call->interp->digits, true);
    return value_text(out, &text, err);
}

static bool store_plainly(Interp *interp, const Value *object, Symbol *name, const Value *value,
                          Error *err);

/* object.__setattr__ and object.__delattr__, which take a value and none. */
static bool store_attribute(const Call *call, Value *out, Error *err) {
    const Value *self = &call->arguments[0], *name = &call->arguments[1];
    *out = VALUE_NOTHING;
    if (self->kind != VALUE_INSTANCE || name->kind != VALUE_STRING)
        return error_set(err, ERR_TYPE, "%s takes an object and a name", call->builtin->name);
    Symbol *symbol = interp_symbol(call->interp, name->string->data, name->string->length, err);
    const Value *value = call->builtin->constant == 1 ? &call->arguments[2] : NULL;
    return symbol && symbol_text(symbol, err) &&
           store_plainly(call->interp, self, symbol, value, err);
}

static bool instance_attribute(Interp *interp, const Value *object, Symbol *name, Value *out,
                               Error *err);

/* object.__getattribute__ */
static bool read_attribute(const Call *call, Value *out, Error *err) {
    const Value *self = &call->arguments[0];
    const String *name = call->arguments[1].string;
    Symbol *symbol = interp_symbol(call->interp, name->data, name->length, err);
    if (self->kind != VALUE_INSTANCE)
        return value_attribute(call->interp, self, name->data, out, err);
    return symbol && symbol_text(symbol, err) &&
           instance_attribute(call->interp, self, symbol, out, err);
}

static bool same_object(const Call *call, Value *out, Error *err) {
    (void)err;
    *out = value_bool(call->arguments[0].shared == call->arguments[1].shared);
    return true;
}

/* __mro__, the classes in the order of a search, as a list or tuple; __bases__, and the first of
 * these. */
static bool class_classes(const Class *class, const char *name, ValueKind kind, Value *out,
                          Error *err) {
    const Value *root = &class->interp->object_class;
    const List *bases = class->parts[2].list;
    if (strcmp(name, "__base__") == 0) {
        *out = value_ref(bases->count > 0 ? bases->items[0] : *root);
        return true;
    }
    bool line = strcmp(name, "__bases__") != 0;
    if (!value_list_new(out, kind, 0, err)) return false;
    Value first = {.kind = VALUE_CLASS, .class = (Class *)class};
    bool ok = !line || list_append(out->list, first, err);
    const List *classes = line ? class->parts[0].list : bases;
    for (size_t i = 0; ok && i < classes->count; i++)
        ok = list_append(out->list, classes->items[i], err);
    if (ok && (line || bases->count == 0) && class != root->class)
        ok = list_append(out->list, *root, err);
    return value_if(ok, out);
}

static bool list_mro(const Call *call, Value *out, Error *err) {
    if (call->arguments[0].kind != VALUE_CLASS)
        return error_set(err, ERR_TYPE, "mro takes a class");
    return class_classes(call->arguments[0].class, "__mro__", VALUE_LIST, out, err);
}

/* The classes that extend one directly, in the order in which they were made. */
static bool list_subclasses(const Call *call, Value *out, Error *err) {
    if (call->arguments[0].kind != VALUE_CLASS)
        return error_set(err, ERR_TYPE, "__subclasses__ takes a class");
    if (!value_list_new(out, VALUE_LIST, 0, err)) return false;
    for (const Shared *one = shared_after(NULL, VALUE_CLASS); one;
         one = shared_after(one, VALUE_CLASS)) {
        const Value found = {.kind = VALUE_CLASS, .shared = (Shared *)one};
        const Value *bases = &found.class->parts[2];
        if (bases->kind != VALUE_TUPLE || !is_in(bases->list, 0, call->arguments[0].class))
            continue;
        if (!list_append(out->list, found, err)) return value_if(false, out);
        Value *items = out->list->items;
        for (size_t i = out->list->count - 1; i > 0; i--) {
            if (items[i - 1].class->made < found.class->made) break;
            items[i] = items[i - 1];
            items[i - 1] = found;
        }
    }
    return true;
}

static const BuiltinDef defaults[] = {
    {.name = "__init__", .parameters = "self:any ***arguments:any", .call = init_object},
    {.name = "__new__", .parameters = "class:any ***arguments:any", .call = new_object},
    {.name = "__repr__", .constant = 1, .parameters = "self:any", .call = write_object},
    {.name = "__str__", .parameters = "self:any", .call = write_object},
    {.name = "__setattr__",
     .constant = 1,
     .parameters = "self:any name:text value:any",
     .call = store_attribute},
    {.name = "__getattribute__", .parameters = "self:any name:text", .call = read_attribute},
    {.name = "__delattr__", .parameters = "self:any name:text", .call = store_attribute},
    {.name = "__eq__", .parameters = "self:any other:any", .call = same_object},
    {.name = "mro", .parameters = "class:any", .call = list_mro},
    {.name = "__subclasses__", .parameters = "class:any", .call = list_subclasses},
    {.name = "__init_subclass__", .parameters = "class:any ***arguments:any", .call = init_object},
    {0},
};

/* The member that every class has without defining it; VALUE_UNSET if there is none of the name. */
static Value default_member(const Symbol *name) {
    for (const BuiltinDef *row = defaults; row->name; row++)
        if (strcmp(row->name, name->name) == 0)
            return (Value){.kind = VALUE_BUILTIN, .builtin = row};
    return VALUE_MISSING;
}

/* ---- reading attributes ---- */

void members_each(const Value *object, MemberVisit visit, void *context) {
    const Class *class = object->kind == VALUE_CLASS ? object->class : class_of(object);
    const Record *fields = object->kind == VALUE_INSTANCE ? object->record : NULL;
    for (size_t i = 0; fields && i < fields->count; i++)
        if (record_name(fields, i)) visit(context, record_name(fields, i), &fields->values[i]);
    for (size_t k = 0; class && class_line(class, k); k++) {
        const Record *members = class_line(class, k)->parts[1].record;
        for (size_t i = 0; i < members->count; i++)
            if (record_name(members, i))
                visit(context, record_name(members, i), &members->values[i]);
    }
}

static bool no_member(const Value *object, const Symbol *name, Error *err) {
    Nearest nearest;
    if (object->kind == VALUE_CLASS)
        error_set(err, ERR_NAME, "type object '%s' has no attribute '%s'",
                  object->class->name->name, name->name);
    else
        error_set(err, ERR_NAME, "'%s' object has no attribute '%s'", value_words(object),
                  name->name);
    if (object->kind == VALUE_INSTANCE && value_is_module(class_of(object)->interp, object))
        error_python(err, "module '%s' has no attribute '%s'", value_words(object), name->name);
    error_mark(err, "AttributeError");
    nearest_begin(&nearest, name->name, name->length);
    members_each(object, offer_name, &nearest);
    return nearest.found && error_hint(err, "Did you mean .%s?", nearest.found);
}

/* True for a member that is an object with __get__ or its like, a descriptor. */
static bool describes(const Value *member, Special special) {
    const Class *class = class_of(member);
    return class && class_special(class, special);
}

/* The value of a member when it is read from an object, or from the class (self NULL). */
static bool bind_member(Interp *interp, const Value *member, const Value *self, Class *class,
                        Value *out, Error *err) {
    const Method *method = member->kind == VALUE_METHOD ? member->method : NULL;
    Value owner = {.kind = VALUE_CLASS, .class = class};
    if (method && method->role == METHOD_STATIC) *out = value_ref(method->parts[1]);
    else if (method && method->role == METHOD_CLASS)
        return method_new(METHOD_BOUND, &owner, &method->parts[1], out, err);
    else if (method && method->role == METHOD_PROPERTY && self)
        return interp_call(interp, &method->parts[0], self, 1, out, err);
    else if (member->kind == VALUE_FUNCTION && self)
        return method_new(METHOD_BOUND, self, member, out, err);
    else if (describes(member, SPECIAL_GET)) {
        const Value both[] = {self ? *self : VALUE_NOTHING, owner};
        bool found;
        return call_special(member, SPECIAL_GET, both, 2, &found, out, err);
    } else *out = value_ref(*member);
    return true;
}

static bool text_attribute(const char *text, Value *out, Error *err) {
    return value_string(out, text, strlen(text), err);
}

/* __name__, __qualname__, __doc__ and __module__ of the code of a function or class. */
static bool code_attribute(const Interp *interp, const FunctionCode *code, const Symbol *name,
                           Value *out, Error *err) {
    LocalText text = TEXT_EMPTY;
    const char *own = code->name ? code->name->name : "<lambda>";
    *out = VALUE_MISSING;
    if (name == interp->specials[SPECIAL_NAME]) return text_attribute(own, out, err);
    if (name == interp->specials[SPECIAL_MODULE]) return text_attribute("__main__", out, err);
    if (name == interp->specials[SPECIAL_DOC])
        *out = code->doc ? value_ref(code->doc->constant) : VALUE_NOTHING;
    if (name != interp->specials[SPECIAL_QUALNAME]) return true;
    if (code->owner) text_format(&text, "%s.", code->owner->name->name);
    text_string(&text, own);
    return value_text(out, &text, err);
}

static bool instance_attribute(Interp *interp, const Value *object, Symbol *name, Value *out,
                               Error *err) {
    Class *class = object->record->class;
    const Value *found = class->reads_by_method ? class_find(class, name->text) : NULL;
    if (found && describes(found, SPECIAL_SET))
        return bind_member(interp, found, object, class, out, err);
    found = fields_find(object->record, name->text);
    if (found) {
        *out = value_ref(*found);
        return true;
    }
    found = class_find(class, name->text);
    if (found) return bind_member(interp, found, object, class, out, err);
    *out = VALUE_MISSING;
    if (name == interp->specials[SPECIAL_CLASS])
        *out = value_ref((Value){.kind = VALUE_CLASS, .class = class});
    else if (name == interp->specials[SPECIAL_DICT])
        *out = value_ref((Value){.kind = VALUE_RECORD, .record = object->record}); /* not a copy */
    else if (class->body &&
             (name == interp->specials[SPECIAL_DOC] || name == interp->specials[SPECIAL_MODULE]))
        return code_attribute(interp, class->body, name, out, err);
    else if (class->exception && !error_attribute(interp, object, name->name, out, err))
        return false;
    if (out->kind != VALUE_UNSET) return true;
    bool has;
    const Value argument = {.kind = VALUE_STRING, .string = name->text};
    bool ok = call_special(object, SPECIAL_GETATTR, &argument, 1, &has, out, err);
    if (has) return ok;
    const Value *held = instance_value(object);
    if (held && (!value_special(interp, held, name->name, &has, out, err) || has)) return has;
    Value member = default_member(name);
    if (member.kind != VALUE_UNSET) return method_new(METHOD_BOUND, object, &member, out, err);
    if (held && (find_method(interp, held, name->name) || held->kind != VALUE_RECORD))
        return value_attribute(interp, held, name->name, out, err);
    return no_member(object, name, err);
}

static bool class_attribute(Interp *interp, const Value *object, Symbol *name, Value *out,
                            Error *err) {
    Class *class = object->class;
    const Value *found = class_find(class, name->text);
    if (found) return bind_member(interp, found, NULL, class, out, err);
    if (name == interp->specials[SPECIAL_NAME]) return text_attribute(class->name->name, out, err);
    const FunctionCode none = {.name = class->name};
    if (!code_attribute(interp, class->body ? class->body : &none, name, out, err)) return false;
    if (out->kind != VALUE_UNSET) return true;
    if (name == interp->specials[SPECIAL_ANNOTATIONS]) return class_annotations(class, out, err);
    if (name == interp->specials[SPECIAL_DICT])
        return value_record_copy(class->parts[1].record, out, err);
    if (name == interp->specials[SPECIAL_BASES] || name == interp->specials[SPECIAL_BASE] ||
        name == interp->specials[SPECIAL_MRO])
        return class_classes(class, name->name, VALUE_TUPLE, out, err);
    *out = default_member(name);
    if (class->exception && !class->body && strcmp(name->name, "__subclasses__") == 0)
        return no_member(object, name, err); /* predefined ones are made when they are needed */
    if (out->kind == VALUE_BUILTIN && words_contain("mro __subclasses__", name->name, name->length))
        return method_new(METHOD_BOUND, object, out, out, err);
    return out->kind != VALUE_UNSET || no_member(object, name, err);
}

/* super().name: what it is behind the class in whose method it is. */
static bool super_attribute(Interp *interp, const Method *super, Symbol *name, Value *out,
                            Error *err) {
    const Value *self = &super->parts[0];
    Class *class = self->kind == VALUE_CLASS ? self->class : class_of(self);
    const Value *found = class_find_behind(class, super->parts[1].class, name->text);
    const Value *held = found ? NULL : instance_value(self);
    bool special = false;
    if (held && (!value_special(interp, held, name->name, &special, out, err) || special))
        return special;
    Value member = found ? *found : default_member(name);
    if (member.kind == VALUE_UNSET) {
        error_set(err, ERR_NAME, "no class that %s extends has an attribute %s",
                  super->parts[1].class->name->name, name->name);
        return error_mark(err, "AttributeError");
    }
    bool makes = strcmp(name->name, "__new__") == 0, of_class = makes || self->kind == VALUE_CLASS;
    if (!found && !makes) return method_new(METHOD_BOUND, self, &member, out, err);
    return bind_member(interp, &member, of_class ? NULL : self, class, out, err);
}

static bool method_attribute(Interp *interp, const Value *object, Symbol *name, Value *out,
                             Error *err) {
    const Method *method = object->method;
    if (method->role == METHOD_SUPER) return super_attribute(interp, method, name, out, err);
    if (method->role == METHOD_PROPERTY) {
        const BuiltinDef *own = name->object_method; /* setter and its like */
        if (own && strcmp(own->receiver, "property") == 0) {
            Value row = {.kind = VALUE_BUILTIN, .builtin = own};
            return method_new(METHOD_BOUND, object, &row, out, err);
        }
        return member_attribute(interp, &method->parts[0], name, out, err);
    }
    if (method->role == METHOD_BOUND && strcmp(name->name, "__self__") == 0) {
        *out = value_ref(method->parts[0]);
        return true;
    }
    return member_attribute(interp, &method->parts[1], name, out, err);
}

bool member_attribute(Interp *interp, const Value *object, Symbol *name, Value *out, Error *err) {
    if (!symbol_text(name, err)) return false;
    switch (object->kind) {
    case VALUE_INSTANCE: {
        const Value text = {.kind = VALUE_STRING, .string = name->text};
        bool found = false;
        if (!class_of(object)->reads_by_method ||
            !class_special(class_of(object), SPECIAL_GETATTRIBUTE))
            return instance_attribute(interp, object, name, out, err);
        if (call_special(object, SPECIAL_GETATTRIBUTE, &text, 1, &found, out, err)) return true;
        if (!error_is(err, "AttributeError")) return false;
        Error own = *err;
        bool ok = call_special(object, SPECIAL_GETATTR, &text, 1, &found, out, err);
        if (!found) *err = own;
        return ok && found;
    }
    case VALUE_CLASS: return class_attribute(interp, object, name, out, err);
    case VALUE_METHOD: return method_attribute(interp, object, name, out, err);
    case VALUE_FUNCTION:
    case VALUE_BUILTIN: break;
    default: return value_attribute(interp, object, name->name, out, err);
    }
    const Value *fields = object->kind == VALUE_FUNCTION ? function_fields(object->function) : NULL;
    const Value *field =
        fields && fields->kind == VALUE_RECORD ? record_get(fields->record, name->name) : NULL;
    if (field) {
        *out = value_ref(*field);
        return true;
    }
    if (object->kind == VALUE_FUNCTION) {
        if (!code_attribute(interp, object->function->code, name, out, err)) return false;
        if (out->kind != VALUE_UNSET) return true;
    } else if (name == interp->specials[SPECIAL_NAME] ||
               name == interp->specials[SPECIAL_QUALNAME]) {
        return text_attribute(object->builtin->name, out, err);
    } else if (name == interp->specials[SPECIAL_DOC]) {
        return text_attribute(object->builtin->summary ? object->builtin->summary : "", out, err);
    }
    error_set(err, ERR_NAME, "%s has no attribute %s", value_words(object), name->name);
    return error_mark(err, "AttributeError");
}

/* ---- changing attributes ---- */

/* Refuses to set, or with value NULL to delete, a field or property. */
static bool cannot_set(const Class *class, const Symbol *name, const Value *value, Error *err) {
    if (class->frozen) {
        error_set(err, ERR_TYPE, "%s is frozen, so its field %s stays as it is", class->name->name,
                  name->name);
        error_python(err, "cannot %s field '%s'", value ? "assign to" : "delete", name->name);
        error_mark(err, "FrozenInstanceError");
        return error_hint(err, "replace(x, %s=...) makes a changed copy.", name->name);
    }
    error_set(err, ERR_NAME, "property '%s' of '%s' object has no %s", name->name,
              class->name->name, value ? "setter" : "deleter");
    error_mark(err, "AttributeError");
    if (!value)
        return error_hint(err, "@%s.deleter above a method def %s(self) deletes it.", name->name,
                          name->name);
    return error_hint(err, "@%s.setter above a method def %s(self, value) sets it.", name->name,
                      name->name);
}

/* True if a field may be set, of a class whose __slots__ list them, as those of its bases do. */
static bool slots_hold(const Class *class, const Symbol *name) {
    const String *key = class->interp->specials[SPECIAL_SLOTS]->text;
    const Value text = {.kind = VALUE_STRING, .string = name->text};
    for (size_t i = 0; class_line(class, i); i++) {
        const Value *slots = fields_find(class_line(class, i)->parts[1].record, key);
        if (!slots) return true;
        if (slots->kind == VALUE_STRING && value_equal(slots, &text)) return true;
        for (size_t k = 0; value_is_list(slots) && k < slots->list->count; k++)
            if (value_equal(&slots->list->items[k], &text)) return true;
    }
    return false;
}

/* Stores by a property or descriptor; *done: whether the class has one of the name. */
static bool store_by_member(Interp *interp, const Value *object, const Symbol *name,
                            const Value *value, bool *done, Error *err) {
    const Class *class = object->record->class;
    const Value *member = class_find(class, name->text);
    const Method *method = member && member->kind == VALUE_METHOD ? member->method : NULL;
    const Value both[] = {*object, value ? *value : VALUE_NOTHING};
    LocalValue result = VALUE_MISSING;
    *done = method && method->role == METHOD_PROPERTY;
    if (*done) {
        const Value *function = &method->parts[value ? 1 : 2];
        if (function->kind == VALUE_NONE) return cannot_set(class, name, value, err);
        return interp_call(interp, function, both, value ? 2 : 1, &result, err);
    }
    return !member || member->kind != VALUE_INSTANCE ||
           call_special(member, value ? SPECIAL_SET : SPECIAL_DELETE, both, value ? 2 : 1, done,
                        &result, err);
}

/* Stores by __setattr__ or __delattr__, which a frozen dataclass has of its own; *done: whether the
 * class has one. */
static bool store_by_method(const Value *object, const Symbol *name, const Value *value, bool *done,
                            Error *err) {
    const Value both[] = {{.kind = VALUE_STRING, .string = name->text},
                          value ? *value : VALUE_NOTHING};
    LocalValue result = VALUE_MISSING;
    bool ok = call_special(object, value ? SPECIAL_SETATTR : SPECIAL_DELATTR, both, value ? 2 : 1,
                           done, &result, err);
    if (*done || !class_of(object)->frozen) return ok;
    *done = true;
    return cannot_set(class_of(object), name, value, err);
}

/* Stores as an object does that has no __setattr__. */
static bool store_plainly(Interp *interp, const Value *object, Symbol *name, const Value *value,
                          Error *err) {
    Class *class = class_of(object);
    bool done;
    if (!store_by_member(interp, object, name, value, &done, err)) return false;
    if (done) return true;
    if (value && name == interp->specials[SPECIAL_CLASS]) {
        if (value->kind != VALUE_CLASS)
            return error_set(err, ERR_TYPE, "__class__ must be set to a class, not '%s' object",
                             value_type_name(value));
        if (!shared_keep(object->shared, err)) return false;
        LocalValue before = {.kind = VALUE_CLASS, .class = class};
        (void)before; /* it is released at the end */
        object->record->class = value_ref(*value).class;
        return true;
    }
    if (value && class->slots && !slots_hold(class, name)) {
        error_set(err, ERR_NAME, "'%s' object has no attribute '%s'", class->name->name,
                  name->name);
        error_mark(err, "AttributeError");
        return error_hint(err, "Its __slots__ list the fields that it may have.");
    }
    if (value)
        return shared_keep(object->shared, err) &&
               fields_set(object->record, name->text, *value, err);
    if (!fields_find(object->record, name->text)) return no_member(object, name, err);
    const Value key = {.kind = VALUE_STRING, .string = name->text};
    Value record = {.kind = VALUE_RECORD, .record = object->record};
    return value_record_remove(&record, &key, NULL, err);
}

bool class_set(Class *class, Symbol *name, const Value *value, Error *err) {
    Record *members = class->parts[1].record;
    if (name == class->interp->specials[SPECIAL_NAME] && value->kind == VALUE_STRING) {
        const String *text = value->string;
        Symbol *named = interp_symbol(class->interp, text->data, text->length, err);
        if (named) class->name = named;
        return named != NULL;
    }
    if (!symbol_text(name, err) || !shared_keep(&members->shared, err)) return false;
    class->has_properties |= value->kind == VALUE_METHOD && value->method->role == METHOD_PROPERTY;
    class->has_properties |= describes(value, SPECIAL_SET) || describes(value, SPECIAL_DELETE);
    if (name == class->interp->specials[SPECIAL_SLOTS])
        class->slots = class->stores_by_method = true;
    class->reads_by_method |=
        name == class->interp->specials[SPECIAL_GETATTRIBUTE] || describes(value, SPECIAL_SET);
    if (name == class->interp->specials[SPECIAL_SETATTR] ||
        name == class->interp->specials[SPECIAL_DELATTR])
        class->stores_by_method = true;
    class_changes++;
    return fields_set(members, name->text, *value, err);
}

bool member_store(Interp *interp, const Value *object, Symbol *name, const Value *value,
                  Error *err) {
    bool done = false;
    if (!symbol_text(name, err)) return false;
    if (object->kind == VALUE_CLASS && value) return class_set(object->class, name, value, err);
    if (object->kind == VALUE_FUNCTION && value) {
        Value *fields = function_fields(object->function);
        return (fields->kind == VALUE_RECORD || value_record_new(fields, err)) &&
               shared_keep(fields->shared, err) &&
               record_set(fields->record, name->name, *value, err);
    }
    if (object->kind != VALUE_INSTANCE && object->kind != VALUE_CLASS)
        return error_set(err, ERR_TYPE, "the attributes of %s cannot be changed",
                         value_words(object));
    if (object->kind == VALUE_INSTANCE) {
        if (class_of(object)->stores_by_method && !store_by_method(object, name, value, &done, err))
            return false;
        return done || store_plainly(interp, object, name, value, err);
    }
    if (!fields_find(object->class->parts[1].record, name->text))
        return no_member(object, name, err);
    const Value key = {.kind = VALUE_STRING, .string = name->text};
    class_changes++;
    return value_record_remove(&object->class->parts[1], &key, NULL, err);
}

bool member_place(const Value *object, Symbol *name, Value **place, Error *err) {
    *place = NULL;
    const Record *record = object->kind == VALUE_INSTANCE ? object->record
                           : object->kind == VALUE_CLASS  ? object->class->parts[1].record
                                                          : NULL;
    if (!record || !symbol_text(name, err)) return record == NULL;
    if (object->kind == VALUE_INSTANCE && class_takes_store(class_of(object), name)) return true;
    if (!fields_find(record, name->text)) return true;
    if (!shared_keep((Shared *)&record->shared, err)) return false;
    *place = (Value *)fields_find(record, name->text);
    class_changes += object->kind == VALUE_CLASS;
    return true;
}
