/* Proposes what to type instead of a name that has no value: one of another language, a command, a
 * setting; with the arguments of its call. */
#include "lang/eval/eval.h"
#include "lang/remedy.h"
#include "lang/token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- a name alone ---- */

/* A template as an example, where that says something: x, y and z for the arguments, and nothing
 * for the rest of a line. */
static bool hint_example(const char *template, Error *err) {
    LocalText text = TEXT_EMPTY;
    const char *last = strrchr(template, '|');
    for (const char *at = last ? last + 1 : template; *at; at++) {
        /* A % before anything else is itself: "%1 % %2". */
        bool place = *at == '%' && at[1] && strchr("123aefilrstuUVwx_(", at[1]);
        if (!place) {
            text_char(&text, *at);
            continue;
        }
        char letter = *++at;
        if (letter == '(') {
            size_t length = strcspn(++at, ")");
            if (!memchr(at, '=', length)) text_bytes(&text, at, length);
            at += length;
        } else if (letter == 'e') text_string(&text, "mean");
        else if (strchr("2r3", letter)) text_char(&text, letter == '3' ? 'z' : 'y');
        else if (!strchr("ilsuUVwx_", letter)) text_char(&text, 'x');
    }
    text_cut_blanks(&text);
    if (text.failed || text.length <= 1) return error_hint(err, "%s", "");
    return error_hint(err, "for example: %s", text.data);
}

/* here: a name, a sentence, or a template, which is shown as an example. */
static bool hint_foreign(const char *here, Error *err) {
    if (!here[leading_word(here)]) return error_hint(err, "Here it is called %s.", here);
    return foreign_is_template(here) ? hint_example(here, err) : error_hint(err, "%s", here);
}

const CommandSyntax *setting_of_word(const Interp *interp, const char *word) {
    const CommandSyntax *found = NULL, *row = interp->hooks.commands;
    while (row && row->name && !row->sub) row++;
    for (const CommandSyntax *setting = row ? row->sub : NULL; setting && setting->name;
         setting++) {
        if (!command_has_word(setting, word, strlen(word))) continue;
        if (found) return NULL;
        found = setting;
    }
    return found;
}

/* Hints at the command, the setting, or the setting's value of that name. False: there is none. */
static bool hint_command(const Interp *interp, const char *name, Error *err) {
    const CommandSyntax *rows = interp->hooks.commands, *setting,
                        *command = command_find(rows, name, strlen(name));
    if (command && command->value)
        error_hint(err, "%s is a command; its value is %s", name, command->value);
    else if (command)
        error_hint(err, "%s is a command: it begins a line, and spaces separate its arguments.",
                   name);
    else if ((command = command_of_setting(rows, name)) != NULL)
        error_hint(err, "%s is a setting: show %s, %s %s VALUE", name, name, command->name, name);
    else if ((setting = setting_of_word(interp, name)) != NULL)
        error_hint(err, "did you mean: %s %s %s", command_of_setting(rows, setting->name)->name,
                   setting->name, name);
    else return false;
    return true;
}

/* The first parameter of the method that runs, if the object in it has an attribute of that name;
 * NULL: nothing of the kind. */
static const char *forgotten_self(const Frame *frame, const Symbol *symbol) {
    const FunctionCode *code = frame->code;
    if (!code || code->parameter_count == 0 || !code->owner || !symbol->text) return NULL;
    const Value *self = &frame->slots[code->parameters[0].slot];
    if (self->kind == VALUE_CELL) self = &self->cell->value;
    if (self->kind != VALUE_INSTANCE && self->kind != VALUE_CLASS) return NULL;
    bool own = self->kind == VALUE_INSTANCE && fields_find(self->record, symbol->text);
    const Class *class = self->kind == VALUE_CLASS ? self->class : class_of(self);
    return own || class_find(class, symbol->text) ? code->parameters[0].name->name : NULL;
}

/* The nearest name among those of the session and the variables of the function that runs. */
static const char *nearest_name(const Frame *frame, const char *name) {
    enum { MOST = 60 };
    const FunctionCode *code = frame->code;
    const char *names[MOST + 1];
    int count = 0;
    for (int i = 0; code && i < code->slot_count && count < MOST; i++) {
        const Value *value = &frame->slots[i];
        if (value->kind == VALUE_CELL) value = &value->cell->value;
        if (code->names[i] && value->kind != VALUE_UNSET) names[count++] = code->names[i]->name;
    }
    names[count] = NULL;
    return interp_nearest(frame->interp, name, names);
}

/* Says how a module of that name is imported, and the class of the same name where it has one, as
 * datetime and tqdm have. */
static bool hint_module(const ModuleText *module, Error *err) {
    const char *name = module->name;
    char line[64];
    int length = snprintf(line, sizeof line, "class %s", name);
    const char *class = strstr(module->text, line);
    if (class && (class[length] == ':' || class[length] == '('))
        return error_hint(err, "If the module is meant: import %s, or from %s import %s", name,
                          name, name);
    return error_hint(err, "If the module is meant: import %s", name);
}

bool unknown_name(const Frame *frame, const Symbol *symbol, Error *err) {
    const Interp *interp = frame->interp;
    const char *name = symbol->name, *self = forgotten_self(frame, symbol);
    const char *here = foreign_word(FOREIGN_NAMES, name);
    error_set(err, ERR_NAME, "%s is not defined", name);
    error_python(err, "name '%s' is not defined", name);
    if (self) return error_hint(err, "Write %s.%s.", self, name);
    if (name[1] == '\0') here = NULL; /* t(A) of R; t alone is a variable that is not there */
    if (here && strncmp(here, "%1%_", strlen("%1%_")) != 0) return hint_foreign(here, err);
    if (hint_command(interp, name, err)) return false;
    here = foreign_word(FOREIGN_MODULES, name);
    if (!here) here = foreign_word(FOREIGN_STATEMENTS, name);
    if (here) return hint_foreign(here, err);
    const char *near = nearest_name(frame, name);
    const ModuleText *module = near ? NULL : module_find(interp, name, strlen(name));
    if (module) return hint_module(module, err);
    here = near ? NULL : foreign_word(FOREIGN_IMPORTS, name);
    if (here) return hint_foreign(here, err);
    if (!near && name_is_chinese(name)) return error_hint(err, "%s", chinese_hint);
    return near ? error_hint(err, "Did you mean %s?", near) : false;
}

/* ---- a call or an attribute ---- */

/* A call or an attribute that is to be written differently. */
typedef struct Rewriting {
    const Frame *frame;
    const Node *receiver;       /* A of A.matmul(B): the first argument; NULL: none */
    const Node *call;           /* NULL: an attribute without a call */
    const Node *attribute;      /* that attribute */
    const Node *made;           /* nn.Softmax(dim=-1) where that is what is called; NULL */
    const Signature *signature; /* of the function that is called instead; NULL: of another kind */
    unsigned used;              /* bit i: argument i of the call has been written */
} Rewriting;

/* The source in one line. */
static void write_source(Text *text, const Frame *frame, Span span) {
    for (size_t i = span.begin; i < span.end; i++) {
        char c = frame->chunk->text[i];
        text_char(text, c == '\n' ? ' ' : c);
    }
}

/* The source of a node, in parentheses where an operator beside it could take it apart. */
static void write_operand(Text *text, const Frame *frame, const Node *node) {
    bool plain = node->parenthesised;
    switch (node->kind) {
    case NODE_NAME:
    case NODE_NUMBER:
    case NODE_STRING:
    case NODE_CONSTANT:
    case NODE_CALL:
    case NODE_INDEX:
    case NODE_ATTRIBUTE:
    case NODE_ARRAY: plain = true; break;
    default: break;
    }
    text_string(text, plain ? "" : "(");
    write_source(text, frame, node->span);
    text_string(text, plain ? "" : ")");
}

static bool has_parameter(const Signature *signature, const char *name) {
    for (int i = 0; signature && i < signature->count; i++)
        if (strcmp(signature->parameters[i].name, name) == 0) return true;
    return false;
}

/* Arguments of a call from `first` on, with a comma before each but the first that is written. */
static void write_call_arguments(Text *text, Rewriting *r, const Node *call, int first,
                                 const char *between) {
    for (int i = first; call && i < call->call.count; i++) {
        if (call == r->call) r->used |= 1u << (i & 31);
        const CallArgument *argument = &call->call.arguments[i];
        const char *keyword = argument->keyword, *here = foreign_word(FOREIGN_KEYWORDS, keyword);
        if (here && !has_parameter(r->signature, keyword)) {
            if (!*here) continue; /* it has nothing to say here */
            if (has_parameter(r->signature, here)) keyword = here;
        }
        text_format(text, "%s%s%s", between, keyword ? keyword : "", keyword ? "=" : "");
        write_source(text, r->frame, argument->value->span);
        between = ", ";
    }
}

/* Argument i of a call, without a keyword; NULL. */
static const Node *argument_of(Rewriting *r, const Node *call, int i) {
    bool given = call && i < call->call.count && !call->call.arguments[i].keyword;
    if (given && call == r->call) r->used |= 1u << (i & 31);
    return given ? call->call.arguments[i].value : NULL;
}

/* Argument i, where the receiver counts as the first; NULL. */
static const Node *place_argument(Rewriting *r, int i) {
    if (!r->receiver) return argument_of(r, r->call, i);
    return i == 0 ? r->receiver : argument_of(r, r->call, i - 1);
}

/* The value of the keyword at `name`, up to a closing parenthesis or =, or of its twin elsewhere,
 * as dim for axis, in a call; NULL. */
static const Node *keyword_in(Rewriting *r, const Node *call, const char *name) {
    size_t length = strcspn(name, "=)");
    for (int i = 0; call && i < call->call.count; i++) {
        const char *keyword = call->call.arguments[i].keyword,
                   *here = foreign_word(FOREIGN_KEYWORDS, keyword);
        bool named = keyword && words_contain(keyword, name, length);
        if (!named && !(here && words_contain(here, name, length))) continue;
        if (call == r->call) r->used |= 1u << (i & 31);
        return call->call.arguments[i].value;
    }
    return NULL;
}

/* The same in the call, or in that of the layer that is called. */
static const Node *keyword_argument(Rewriting *r, const char *name) {
    const Node *value = keyword_in(r, r->call, name);
    return value ? value : keyword_in(r, r->made, name);
}

/* True if the source of a node is the text up to a closing parenthesis, in quotes or not, and TRUE
 * for True. */
static bool is_written(const Rewriting *r, const Node *node, const char *text) {
    Span span = node->span;
    if (node->kind == NODE_STRING) span = (Span){span.begin + 1, span.end - 1};
    size_t length = strcspn(text, ")");
    return span.end - span.begin == length &&
           strncasecmp(r->frame->chunk->text + span.begin, text, length) == 0;
}

/* Writes the function that a loss of PyTorch reduces its terms with: nothing for "none". False: its
 * name is not in the source. */
static bool write_reduction(Text *text, Rewriting *r) {
    const Node *given = keyword_argument(r, "reduction");
    if (given && is_written(r, given, "none")) return true;
    bool sum = given && is_written(r, given, "sum");
    text_string(text, sum ? "sum" : "mean");
    return sum || !given || is_written(r, given, "mean");
}

/* True if the template said something of all arguments: a call without one of them would compute
 * something else. */
static bool all_used(const Rewriting *r) {
    for (int i = 0; r->call && i < r->call->call.count; i++) {
        const char *keyword = r->call->call.arguments[i].keyword,
                   *here = foreign_word(FOREIGN_KEYWORDS, keyword);
        if (!(r->used & 1u << (i & 31)) && !(here && !*here)) return false;
    }
    return true;
}

/* Writes the second argument less 1, an index that counts from 1. False: it is of another kind. */
static bool write_index(Text *text, Rewriting *r) {
    const Node *index = place_argument(r, 1);
    if (!index) return false;
    LocalText source = TEXT_FOR(text);
    write_source(&source, r->frame, index->span);
    bool number = source.length > 0 && strspn(source.data, "0123456789") == source.length;
    long value = number ? strtol(source.data, NULL, 10) : 0;
    if (number) text_format(text, "%ld", value - 1);
    else text_format(text, "%s - 1", source.data);
    return number ? value > 0 : index->kind == NODE_NAME;
}

/* The first argument, the name of a file, with the ending of a table. */
static bool write_table_name(Text *text, Rewriting *r) {
    const Node *name = place_argument(r, 0);
    if (!name) return false;
    write_source(text, r->frame, name->span);
    size_t ending = text->length > 5 ? text->length - 5 : 0;
    if (name->kind == NODE_STRING && strncmp(text->data + ending, ".txt", 4) == 0)
        memcpy(text->data + ending, ".csv", 4);
    return true;
}

/* The first argument, the string of numbers "1 2; 3 4", as a list of rows. */
static bool write_rows(Text *text, Rewriting *r) {
    const Node *string = place_argument(r, 0);
    if (!string || string->kind != NODE_STRING) return false;
    const char *at = r->frame->chunk->text + string->span.begin + 1,
               *end = r->frame->chunk->text + string->span.end - 1;
    bool begins = true; /* a row */
    text_string(text, "[[");
    while (at < end) {
        size_t length = strspn(at, "+-.0123456789eE"), gap = strspn(at + length, " ,");
        text_format(text, "%s%.*s", length == 0 || begins ? "" : ", ", (int)length, at);
        begins = begins && length == 0;
        at += length + gap;
        if (at < end && *at == ';') {
            text_string(text, "], [");
            begins = true;
            at++;
        } else if (length + gap == 0) return false;
    }
    text_string(text, "]]");
    return true;
}

/* True if a sign is alone between commas or parentheses, so that no operator is beside it. */
static bool is_whole_argument(const char *template, const char *begin, const char *end) {
    bool opened = begin > template && strchr("(=", begin[-1]),
         follows = begin > template + 1 && begin[-1] == ' ' && begin[-2] == ',';
    return (opened || follows) && *end && strchr(",)", *end);
}

/* The number of axes of argument i, where a trial finds out; -1. */
static int argument_axes(Rewriting *r, int i) {
    const Node *node = place_argument(r, i);
    LocalText source = TEXT_EMPTY;
    LocalValue value = VALUE_MISSING;
    if (node) write_source(&source, r->frame, node->span);
    if (source.length > 0) interp_try(r->frame->interp, source.data, false, &value, NULL);
    int axes = value_axes(&value);
    return axes > 0 ? axes : -1;
}

/* True if the second argument is an array or list, and no number. */
static bool is_array_argument(Rewriting *r) {
    const Node *node = place_argument(r, 1);
    const Value *held = node ? leaf_place(r->frame, node) : NULL;
    if (node && node->kind == NODE_CALL && node->call.callee->kind == NODE_NAME &&
        strcmp(node->call.callee->name.symbol->name, "c") == 0)
        return true; /* c(2, 3) of R */
    return held ? value_axes(held) > 0 : argument_axes(r, 1) > 0;
}

/* True if the second argument of layer_norm is the shape of one axis, which layernorm takes. */
static bool is_last_axis(Rewriting *r) {
    const Node *shape = place_argument(r, 1);
    return !shape || shape->kind == NODE_NUMBER || shape->kind == NODE_INDEX ||
           ((shape->kind == NODE_TUPLE || shape->kind == NODE_ARRAY) && shape->list.count == 1);
}

/* Writes the template up to its end or a |. %1 is the receiver, or the first argument where there
 * is none. False: the template asks for an argument that is not there, or has no sign for one. */
static bool write_template(Text *text, Rewriting *r, const char *template) {
    r->used = 0;
    for (const char *at = template; *at && *at != '|'; at++) {
        const char *begin = at;
        char place = *at == '%' && at[1] && strchr("123adeirmnksvtowuUVx_(", at[1]) ? *++at : '\0';
        const Node *argument = NULL;
        bool written = true;
        int first;
        switch (place) {
        case '\0': text_char(text, *at); continue;
        case 'a':
            if (r->receiver) write_source(text, r->frame, r->receiver->span);
            write_call_arguments(text, r, r->call, 0, r->receiver ? ", " : "");
            continue;
        case 'r': write_call_arguments(text, r, r->call, r->receiver ? 0 : 1, ""); continue;
        case 'k':
            for (first = 0; argument_of(r, r->made, first);) first++;
            write_call_arguments(text, r, r->made, first, ", ");
            continue;
        case 's': write_call_arguments(text, r, r->call, r->receiver ? 1 : 2, ", "); continue;
        case '_': r->used = ~0u; continue;
        case 'w': written = is_last_axis(r); break;
        case 'u': written = argument_axes(r, 0) < 2; break;
        case 'U': written = argument_axes(r, 0) > 1; break;
        case 'V': written = argument_axes(r, 0) > 2; break;
        case 'i': written = argument_axes(r, 1) < 2; break;
        case 'x': written = is_array_argument(r); break;
        case 'o': written = write_index(text, r); break;
        case 't': written = write_table_name(text, r); break;
        case 'd': written = write_rows(text, r); break;
        case 'e': written = write_reduction(text, r); break;
        case '(':
            argument = keyword_argument(r, at + 1);
            at += strcspn(at, "=)");
            written = argument && (*at == ')' || at[1] == ')' || is_written(r, argument, at + 1));
            if (*at == '=') argument = NULL;
            at += strcspn(at, ")");
            break;
        case 'm':
        case 'n':
            argument = argument_of(r, r->made, place - 'm');
            written = argument != NULL;
            break;
        case 'v':
            argument = place_argument(r, 0);
            written = argument && argument->kind == NODE_NAME;
            break;
        default: argument = place_argument(r, place - '1'); written = argument != NULL;
        }
        if (!written) return false;
        if (argument && is_whole_argument(template, begin, at + 1))
            write_source(text, r->frame, argument->span);
        else if (argument) write_operand(text, r->frame, argument);
    }
    return all_used(r);
}

static const BuiltinDef *find_builtin(const Interp *interp, const char *name, size_t length) {
    const Symbol *symbol = interp_find_word(interp, name, length);
    return symbol ? symbol->builtin : NULL;
}

bool propose_part(const Frame *frame, Span part, const char *here, Error *err) {
    enum { LINE_MAX_PROPOSED = 200 };
    const char *text = frame->chunk->text;
    Span line = {line_around(text, frame->chunk->length, part.begin).begin,
                 line_around(text, frame->chunk->length, part.end).end};
    if (frame->code) { /* a trial does not know the values of its names */
        error_hint(err, "write %s", here);
        return true;
    }
    if (frame->blocks > 0 || line.end - line.begin > LINE_MAX_PROPOSED)
        return propose(frame->interp, err, "write ", here);
    /* Between operators, an operation is put in parentheses. */
    size_t before = part.begin, behind = part.end;
    while (before > line.begin && text[before - 1] == ' ') before--;
    while (behind < line.end && text[behind] == ' ') behind++;
    bool alone = (before == line.begin || strchr("(,[=;:", text[before - 1])) &&
                 (behind == line.end || strchr("),];#", text[behind])),
         operation = false;
    const char *at = here, *comment = strstr(here, "  # "); /* at the end of the line */
    int length = comment ? (int)(comment - here) : (int)strlen(here);
    for (int depth = 0; at < here + length && !operation; at++) {
        depth += (strchr("([", *at) != NULL) - (strchr(")]", *at) != NULL);
        operation = depth == 0 && *at == ' ';
    }
    LocalText whole = TEXT_EMPTY;
    text_bytes(&whole, text + line.begin, part.begin - line.begin);
    text_format(&whole, operation && !alone ? "(%.*s)" : "%.*s", length, here);
    text_bytes(&whole, text + part.end, line.end - part.end);
    bool told = comment && !whole.failed && strstr(whole.data, comment);
    text_string(&whole, comment && !told ? comment : "");
    return !whole.failed && propose(frame->interp, err, "write ", whole.data);
}

/* Proposes the first of a template's alternatives that has its arguments and works. */
static bool propose_alternative(Rewriting *r, const char *template, Error *err) {
    bool proposed = false;
    Error unseen;
    const Node *whole = r->call ? r->call : r->attribute;
    for (const char *one = template; one && !proposed; one = strchr(one, '|')) {
        LocalText text = TEXT_EMPTY;
        one += *one == '|';
        /* The function that a template calls knows which keywords it takes. */
        const BuiltinDef *builtin = find_builtin(r->frame->interp, one, strcspn(one, "("));
        if (builtin) r->signature = interp_signature(r->frame->interp, builtin, &unseen);
        proposed = write_template(&text, r, one) && !text.failed;
        if (proposed && strstr(one, ", then ")) error_hint(err, "write %s", text.data);
        else proposed = proposed && propose_part(r->frame, whole->span, text.data, err);
    }
    return proposed;
}

/* True for torch.tensor(x).std(), where array(x).std() would be NumPy's. */
static bool calls_torch_method(const Rewriting *r) {
    const Chunk *chunk = r->frame->chunk;
    size_t end = r->call ? r->call->span.end : chunk->length;
    if (end >= chunk->length || chunk->text[end] != '.') return false;
    LocalText name = TEXT_EMPTY;
    text_bytes(&name, chunk->text + end + 1, leading_word(chunk->text + end + 1));
    return !name.failed && foreign_word(FOREIGN_TORCH, name.data);
}

/* Proposes a call of a function with the arguments that are there, or the name of a value. */
static bool propose_function(Rewriting *r, const char *name, Error *err) {
    char template[80];
    const BuiltinDef *builtin = find_builtin(r->frame->interp, name, strlen(name));
    bool called = builtin && builtin->call && (r->call || r->receiver);
    snprintf(template, sizeof template, called ? "%s(%%a)" : "%s%%_", name);
    if (called && strcmp(name, "array") == 0 && calls_torch_method(r))
        snprintf(template, sizeof template, "torch.asarray(%%a)");
    return propose_alternative(r, template, err);
}

/* Proposes A = exp(A) for A.exp_() and torch.exp_(A) of PyTorch, which change A. False: there is no
 * such function without the _, or the line would not work. */
static bool propose_in_place(Rewriting *r, const char *name, Error *err) {
    size_t length = strlen(name);
    if (!r->attribute || length < 2 || name[length - 1] != '_') return false;
    LocalText word = TEXT_EMPTY, template = TEXT_EMPTY;
    text_bytes(&word, name, length - 1);
    if (word.failed) return false;
    const char *here = foreign_word(FOREIGN_TORCH, word.data);
    if (!here) here = foreign_word(FOREIGN_NAMES, word.data);
    if (!here && find_builtin(r->frame->interp, word.data, word.length)) here = word.data;
    if (!here) return false;
    bool called = !foreign_is_template(here);
    for (const char *at = here, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, "|");
        text_format(&template, "%s%%1 = %.*s%s", at == here ? "" : "|", (int)(end - at), at,
                    called ? "(%a)" : "");
    }
    return !template.failed && propose_alternative(r, template.data, err);
}

/* Replaces the hint of a name error by what is written for `name` here. member: it is behind a
 * module. */
static void hint_remedy(Rewriting *r, const char *name, bool member, Error *err) {
    const char *behind = member ? foreign_word(FOREIGN_MEMBERS, name) : NULL,
               *here = foreign_word(FOREIGN_NAMES, name);
    if (behind && propose_alternative(r, behind, err)) return;
    if (behind && !foreign_is_template(behind)) {
        error_hint(err, "for example: %s", behind);
        return;
    }
    if (r->attribute && !r->call && strcmp(name, "length") == 0) here = "len(%1)"; /* JavaScript */
    if (!r->receiver && find_builtin(r->frame->interp, name, strlen(name))) {
        propose_function(r, name, err);
        return;
    }
    if (!here) {
        propose_in_place(r, name, err);
        return;
    }
    size_t length = strcspn(here, " ");
    if (!foreign_is_template(here) && here[length]) error_hint(err, "%s", here);
    else if (!foreign_is_template(here)) {
        /* Something else in the line is foreign, too. */
        if (!propose_function(r, here, err)) error_hint(err, "here it is called %s", here);
    } else if (!propose_alternative(r, here, err)) hint_example(here, err);
}

/* The name that a chain of attributes begins with, when it is that of a module and has no value, or
 * that module as its value. */
static const Node *module_of(const Frame *frame, const Node *node) {
    while (node->kind == NODE_ATTRIBUTE) node = node->attribute.object;
    if (node->kind != NODE_NAME || node->name.slot >= 0) return NULL;
    const Symbol *symbol = node->name.symbol;
    bool unknown = symbol->value.kind == VALUE_UNSET && !symbol->builtin;
    if (!unknown && !value_is_module(frame->interp, &symbol->value)) return NULL;
    return foreign_word(FOREIGN_MODULES, symbol->name) ? node : NULL;
}

/* Says what a function of R is, whose name has a dot in it: which.max(x). False: there is none. */
static bool dotted_remedy(const Frame *frame, const Node *attribute, const Node *call, Error *err) {
    LocalText name = TEXT_EMPTY;
    write_source(&name, frame, attribute->span);
    const char *here = call && !name.failed ? foreign_word(FOREIGN_CALLS, name.data) : NULL;
    if (!here) return false;
    Rewriting rewriting = {.frame = frame, .call = call, .attribute = attribute};
    error_set(err, ERR_NAME, "%s is not defined", name.data);
    if (!foreign_is_template(here)) error_hint(err, "%s", here);
    else if (!propose_alternative(&rewriting, here, err)) hint_example(here, err);
    place_error(frame, attribute, err);
    return true;
}

const char *tensorflow_word(const Node *module, const char *name) {
    const char *root = node_root(module)->name.symbol->name;
    bool keyed = module->kind == NODE_ATTRIBUTE && strcmp(module->attribute.name, "random") == 0;
    bool other = strcmp(root, "tf") == 0 || (strcmp(root, "jax") == 0 && keyed);
    return other ? foreign_word(FOREIGN_TENSORFLOW, name) : NULL;
}

bool attribute_remedy(const Frame *frame, const Node *attribute, const Node *call, Error *err) {
    if (err->kind != ERR_NAME || dotted_remedy(frame, attribute, call, err)) return false;
    const Node *module = module_of(frame, attribute);
    const char *here = module ? foreign_word(FOREIGN_MODULES, module->name.symbol->name) : NULL;
    Rewriting rewriting = {.frame = frame,
                           .call = call,
                           .attribute = attribute,
                           .receiver = module ? NULL : attribute->attribute.object};
    const char *own =
        module ? tensorflow_word(attribute->attribute.object, attribute->attribute.name) : NULL;
    if (own && propose_alternative(&rewriting, own, err)) return false;
    if (here && foreign_is_template(here)) propose_alternative(&rewriting, here, err);
    else hint_remedy(&rewriting, attribute->attribute.name, module != NULL, err);
    return false;
}

bool module_remedy(const Frame *frame, const Node *attribute, const Node *call, Error *err) {
    const char *name = attribute->attribute.name;
    const char endings[] = "npy csv tsv safetensors json txt png svg pdf gif md attn";
    if (!err) return false; /* nobody reads it, as while a value is written */
    if (err->kind == ERR_NAME && dotted_remedy(frame, attribute, call, err)) return false;
    if (err->kind == ERR_NAME && words_contain(endings, name, strlen(name)))
        return error_hint(err, "a file name is written in quotes: \"%s\"",
                          quote_node(frame, attribute).text);
    if (err->kind != ERR_NAME || !module_of(frame, attribute)) return false;
    if (attribute->attribute.member) {
        error_set(err, ERR_NAME, "%s is not defined", quote_node(frame, attribute).text);
        const char *near = interp_nearest(frame->interp, name, NULL);
        if (near) error_hint(err, "Did you mean %s?", near);
        else error_hint(err, "help lists the functions that there are");
        place_error(frame, attribute, err);
    }
    return attribute_remedy(frame, attribute, call, err);
}

/* True if the call has one of the keywords. */
static bool has_keyword(const Node *call, const char *words) {
    for (int i = 0; i < call->call.count; i++) {
        const char *keyword = call->call.arguments[i].keyword;
        if (keyword && words_contain(words, keyword, strlen(keyword))) return true;
    }
    return false;
}

/* True for torch.ones(3).exp(), whose methods are those of PyTorch. */
static bool is_of_torch(const Node *node) {
    while ((node = node_root(node))->kind == NODE_CALL) node = node->call.callee;
    return node->kind == NODE_NAME &&
           words_contain("torch F", node->name.symbol->name, node->name.symbol->length);
}

bool torch_remedy(const Frame *frame, const Node *attribute, const Node *call, bool method,
                  Error *err) {
    const char *name = attribute->attribute.name;
    bool pytorch =
        !method || has_keyword(call, "dim keepdim") || is_of_torch(attribute->attribute.object);
    const char *root = node_root(attribute)->name.symbol->name;
    bool other = !method && words_contain("tf jax", root, strlen(root));
    const char *here = !pytorch ? NULL
                       : other  ? tensorflow_word(attribute->attribute.object, name)
                                : foreign_word(FOREIGN_TORCH, name);
    if (!here || !err || has_keyword(call, "unbiased correction ddof indexing")) return false;
    Rewriting rewriting = {.frame = frame,
                           .call = call,
                           .attribute = attribute,
                           .receiver = method ? attribute->attribute.object : NULL};
    Error meant = {.kind = ERR_NONE};
    error_set(&meant, ERR_NAME, "%s means something else in %s than in NumPy", name,
              !other         ? "PyTorch"
              : *root == 't' ? "TensorFlow"
                             : "JAX");
    if (!propose_alternative(&rewriting, here, &meant)) return false;
    *err = meant;
    place_error(frame, attribute, err);
    return true;
}

void torch_call_remedy(const Frame *frame, const Node *call, Error *err) {
    const Node *callee = call->call.callee;
    bool attribute = callee->kind == NODE_ATTRIBUTE;
    if (!err || (err->kind != ERR_SHAPE && err->kind != ERR_TYPE)) return;
    const char *here =
        foreign_word(FOREIGN_TORCH, attribute ? callee->attribute.name : callee->name.symbol->name);
    if (!here) return;
    bool method = attribute && !callee->attribute.member;
    Rewriting rewriting = {.frame = frame,
                           .call = call,
                           .attribute = attribute ? callee : NULL,
                           .receiver = method ? callee->attribute.object : NULL};
    propose_alternative(&rewriting, here, err);
}

/* ---- a command or a foreign name that is called ---- */

/* plot(A, to="a.png") -> plot A to "a.png" */
static void write_command(Text *text, const Frame *frame, const CommandSyntax *row,
                          const Node *call) {
    text_string(text, row->name);
    for (int i = 0; i < call->call.count; i++) {
        const CallArgument *argument = &call->call.arguments[i];
        const Node *value = argument->value;
        if (argument->keyword) text_format(text, " %s", argument->keyword);
        else if (i > 0 && row->expression) text_char(text, ',');
        text_char(text, ' ');

        /* An argument without spaces stays as it is; a name in quotes becomes a word. */
        Span span = value->span;
        bool string = value->kind == NODE_STRING,
             plain = row->expression || value->parenthesised || string ||
                     !memchr(frame->chunk->text + span.begin, ' ', span.end - span.begin);
        if (row->sub && string) {
            span.begin++;
            span.end--;
        }
        text_string(text, plain ? "" : "(");
        write_source(text, frame, span);
        text_string(text, plain ? "" : ")");
    }
}

bool callee_remedy(const Frame *frame, const Node *call, Error *err) {
    const Node *callee = call->call.callee;
    if (err->kind == ERR_NAME && callee->kind == NODE_CALL) {
        /* nn.Softmax(dim=-1)(A): the layer is made and called at once. */
        const Node *layer = callee->call.callee;
        bool member = layer->kind == NODE_ATTRIBUTE && module_of(frame, layer);
        const char *here = member ? foreign_word(FOREIGN_LAYERS, layer->attribute.name) : NULL;
        Rewriting made = {.frame = frame, .call = call, .made = callee};
        if (here) propose_alternative(&made, here, err);
        return false;
    }
    if (err->kind != ERR_NAME || callee->kind != NODE_NAME || callee->name.slot >= 0) return false;
    const char *name = callee->name.symbol->name;
    /* match(Z) calls a function that is not there; only `match Z:` would begin a block. */
    if (words_contain("match case", name, strlen(name))) *err->hint = '\0';
    const CommandSyntax *command = command_find(frame->interp->hooks.commands, name, strlen(name));
    bool keywords = call->call.count > 0 && call->call.arguments[0].keyword;
    Rewriting rewriting = {.frame = frame, .call = call};
    const char *called = foreign_word(FOREIGN_CALLS, name);
    if (command && (keywords || !(called || foreign_word(FOREIGN_NAMES, name)))) {
        LocalText text = TEXT_EMPTY;
        write_command(&text, frame, command, call);
        error_set(err, ERR_NAME, "%s is a command, not a function", name);
        bool curve = strcmp(name, "plot") == 0 && argument_axes(&rewriting, 0) == 1 &&
                     argument_axes(&rewriting, 1) == 1; /* plot(x, y) of other languages */
        if (curve && propose_alternative(&rewriting, "plot %2 against %1%_", err)) text_fail(&text);
        bool foreign = strcmp(name, "sweep") == 0 && argument_axes(&rewriting, 0) > 0; /* of R */
        if (!text.failed && !foreign) propose_part(frame, call->span, text.data, err);
        return place_error(frame, callee, err);
    }
    if (!called) hint_remedy(&rewriting, name, false, err);
    else if (!propose_alternative(&rewriting, called, err)) hint_foreign(called, err);
    return false;
}
