#include "shell/completion/completion_sources.h"

#include "base/utf8.h"

#include <string.h>

static bool is_empty(Span span) { return span.begin == span.end; }

/* ---- keywords ---- */

static void offer_keywords(Candidates *candidates, const TokenKind *kinds, size_t count,
                           bool closed) {
    for (size_t i = 0; i < count; i++)
        candidates_offer(candidates, (Offer){.name = token_kind_text(kinds[i]), .closed = closed});
}

#define OFFER_KEYWORDS(candidates, kinds, closed) \
    offer_keywords(candidates, kinds, sizeof(kinds) / sizeof *(kinds), closed)

static void offer_statement_keywords(Candidates *candidates) {
    static const TokenKind opening[] = {TOKEN_FOR, TOKEN_WHILE,  TOKEN_IF,     TOKEN_ELIF,
                                        TOKEN_DEF, TOKEN_RETURN, TOKEN_ASSERT, TOKEN_EXCEPT,
                                        TOKEN_DEL, TOKEN_IMPORT, TOKEN_FROM};
    static const TokenKind whole[] = {TOKEN_ELSE, TOKEN_TRY, TOKEN_PASS, TOKEN_BREAK,
                                      TOKEN_CONTINUE};
    OFFER_KEYWORDS(candidates, opening, true);
    OFFER_KEYWORDS(candidates, whole, false);
}

static void offer_value_keywords(Candidates *candidates) {
    static const TokenKind opening[] = {TOKEN_NOT, TOKEN_LAMBDA};
    static const TokenKind whole[] = {TOKEN_TRUE, TOKEN_FALSE, TOKEN_NONE};
    OFFER_KEYWORDS(candidates, opening, true);
    OFFER_KEYWORDS(candidates, whole, false);
}

static void offer_operators(Candidates *candidates) {
    static const TokenKind operators[] = {TOKEN_AND, TOKEN_OR, TOKEN_NOT,  TOKEN_IN,
                                          TOKEN_IS,  TOKEN_IF, TOKEN_ELSE, TOKEN_FOR};
    OFFER_KEYWORDS(candidates, operators, true);
}

/* ---- names ---- */

typedef struct Variables {
    Candidates *candidates;
    bool arrays;      /* these alone */
    bool underscores; /* names with _ in front too */
} Variables;

/* _, _1, _2 ...: the values that were shown. */
static bool is_shown_value(const char *name) {
    return *name == '_' && name[1 + strspn(name + 1, "0123456789")] == '\0';
}

static void offer_variable(void *context, const Symbol *symbol) {
    Variables *variables = context;
    const char *name = symbol->name;
    ValueKind kind = symbol->value.kind;
    if (variables->arrays && kind != VALUE_TENSOR) return;
    if (*name == '_' && (!variables->underscores || is_shown_value(name))) return;
    bool called = kind == VALUE_FUNCTION || kind == VALUE_BUILTIN;
    candidates_offer(variables->candidates, (Offer){.name = name, .suffix = called ? "(" : ""});
}

void offer_variables(const Place *place, bool arrays, Candidates *candidates) {
    Variables variables = {candidates, arrays,
                           candidates->word.length > 0 && candidates->word.data[0] == '_'};
    interp_each(&place->session->interp, offer_variable, &variables);
}

/* A variable of the same name hides a function. */
static bool is_hidden(const Interp *interp, const char *name) {
    const Symbol *symbol = interp_find(interp, name);
    return symbol && symbol->value.kind != VALUE_UNSET;
}

void offer_functions(const Place *place, bool called, Candidates *candidates) {
    const Interp *interp = &place->session->interp;
    for (const BuiltinDef *const *table = interp->tables; *table; table++)
        for (const BuiltinDef *row = *table; row->name; row++)
            if (!row->receiver && candidates_match(candidates, row->name) &&
                !is_hidden(interp, row->name))
                candidates_offer(candidates, (Offer){.name = row->name,
                                                     .suffix = called && row->call ? "(" : ""});
}

void offer_commands(const Place *place, Candidates *candidates) {
    for (const CommandDef *const *table = place->session->commands; *table; table++)
        for (const CommandDef *row = *table; row->syntax.name; row++)
            candidates_offer(candidates, (Offer){.name = row->syntax.name, .closed = true});
}

/* All functions at once would be a page of names that nobody asked for: they wait for a letter. */
void offer_values(const Place *place, Candidates *candidates) {
    offer_variables(place, false, candidates);
    offer_locals(place->text, place->context.word.begin, candidates);
    if (candidates->word.length == 0) return;
    offer_functions(place, true, candidates);
    offer_value_keywords(candidates);
}

/* ---- attributes ---- */

static bool is_name(const char *name) {
    size_t length = strlen(name), at = 0;
    for (uint32_t c; at < length;) {
        size_t size = utf8_next(name + at, length - at, &c);
        if (at == 0 ? !(c == '_' || utf8_is_letter(c)) : !utf8_is_name(c)) return false;
        at += size;
    }
    return length > 0;
}

static void offer_fields(const Record *record, Candidates *candidates) {
    for (size_t i = 0; i < record->count; i++)
        if (is_name(record->names[i]->data))
            candidates_offer(candidates, (Offer){.name = record->names[i]->data, .first = true});
}

/* What works behind an array and is written before it: print, str, exit. */
static bool is_plain_function(const BuiltinDef *row) {
    return !row->receiver && strcmp(row->group, "plain") == 0;
}

static void offer_methods(const Place *place, const Value *object, Candidates *candidates) {
    const Interp *interp = &place->session->interp;
    for (const BuiltinDef *const *table = interp->tables; *table; table++)
        for (const BuiltinDef *row = *table; row->name; row++)
            if (candidates_match(candidates, row->name) && !is_plain_function(row) &&
                find_method((Interp *)interp, object, row->name) == row)
                candidates_offer(candidates, (Offer){.name = row->name, .suffix = "("});
}

/* Attributes come first: a hundred methods would hide them. */
static void offer_attributes(const Place *place, Candidates *candidates) {
    const Value *object = &place->object.value;
    if (place->object.module) offer_functions(place, true, candidates);
    if (object->kind == VALUE_UNSET) return;
    if (object->kind == VALUE_RECORD) offer_fields(object->record, candidates);
    const char *const *names = value_attributes(object);
    for (; names && *names; names++)
        candidates_offer(candidates, (Offer){.name = *names, .first = true});
    offer_methods(place, object, candidates);
}

/* ---- calls ---- */

bool place_spells(const Place *place, Span span, const char *name) {
    return !is_empty(span) && strlen(name) == span.end - span.begin &&
           memcmp(place->text + span.begin, name, span.end - span.begin) == 0;
}

static bool is_given(const Place *place, const char *name) {
    for (int i = 0; i < place->given.count; i++)
        if (place_spells(place, place->given.names[i], name)) return true;
    return false;
}

static void offer_parameters(const Place *place, Candidates *candidates) {
    const Callee *callee = &place->callee;
    for (int i = callee->first + place->given.before; i < callee->count; i++) {
        const char *name = callee_parameter(callee, i);
        if (name && !is_given(place, name))
            candidates_offer(candidates, (Offer){.name = name, .suffix = "=", .first = true});
    }
}

/* The parameter that the argument at the point is for; NULL. */
static const char *parameter_at(const Place *place) {
    const Callee *callee = &place->callee;
    if (!place->context.among_arguments) return NULL;
    for (int i = 0; i < callee->count; i++) {
        const char *name = callee_parameter(callee, i);
        bool this = is_empty(place->given.name)
                        ? i == callee->first + place->given.before
                        : name && place_spells(place, place->given.name, name);
        if (this) return name;
    }
    return NULL;
}

static bool takes_path(const Place *place) {
    const char *parameter = parameter_at(place);
    return parameter && strcmp(parameter, "path") == 0;
}

/* ---- strings ---- */

static bool is_path(const Place *place) {
    return place->context.among_arguments ? takes_path(place)
                                          : place->context.command && command_takes_file(place);
}

/* mask="causal and w": the words of the setting that is called like the parameter. */
static const SettingDef *setting_of_string(const Place *place) {
    const char *parameter = parameter_at(place);
    return parameter ? setting_find(parameter) : NULL;
}

static bool is_token(const Place *place) {
    return place->context.command && !place->context.in_call && command_takes_token(place);
}

static void offer_string(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    const SettingDef *setting = setting_of_string(place);
    if (is_path(place))
        offer_files(place->session, place->text, context->quotes, context->word, !context->in_call,
                    candidates);
    else if (setting) candidates_offer_words(candidates, setting_words(setting));
    else if (is_token(place)) offer_tokens(place, candidates);
}

/* ---- the place ---- */

static bool find_callee(Place *place, Error *err) {
    Error unknown = {.kind = ERR_NONE};
    if (!place->context.in_call ||
        callee_find(place->session, place->text, place->context.callee, &place->callee, &unknown))
        return true;
    if (unknown.kind != ERR_LIMIT) return true;
    if (err) *err = unknown;
    return false;
}

/* A path and a token are replaced with their quotes, other words of a string alone. */
static size_t place_begin(const Place *place) {
    if (place->context.kind != CONTEXT_STRING) return place->context.word.begin;
    return is_path(place) || is_token(place) ? place->context.quotes.begin
                                             : place_word(place).begin;
}

bool place_init(Place *place, const Session *session, const char *text, size_t length, size_t point,
                Error *err) {
    *place = (Place){.session = session,
                     .text = text,
                     .length = length,
                     .object = {.value = VALUE_MISSING},
                     .callee = {.function = VALUE_MISSING, .signature = {.rest = -1}}};
    context_find(&place->context, session->interp.hooks.commands, text, length, point);
    const Context *context = &place->context;
    if (context->in_call) context_given(context, text, length, &place->given);
    bool ok = find_callee(place, err);
    if (ok && context->kind == CONTEXT_ATTRIBUTE)
        ok = chain_meaning(session, text, context->object, &place->object, err);
    if (ok) place->begin = place_begin(place);
    else place_release(place);
    return ok;
}

void place_release(Place *place) {
    callee_release(&place->callee);
    value_release(&place->object.value);
}

Span place_word(const Place *place) {
    const Context *context = &place->context;
    Span word = context->word;
    if (context->kind != CONTEXT_STRING) return word;
    if (is_path(place)) return path_word(place->text, word);
    if (is_token(place)) return word;
    Span last = {word.end, word.end};
    while (last.begin > word.begin && place->text[last.begin - 1] != ' ') last.begin--;
    return last;
}

void place_offer(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    switch (context->kind) {
    case CONTEXT_NOTHING: return;
    case CONTEXT_STATEMENT:
        if (is_empty(context->word)) return;
        offer_commands(place, candidates);
        offer_values(place, candidates);
        offer_statement_keywords(candidates);
        return;
    case CONTEXT_VALUE:
        if (context->begins_argument) offer_parameters(place, candidates);
        if (takes_path(place))
            offer_files(place->session, place->text, (Span){0, 0}, context->word, false,
                        candidates);
        offer_values(place, candidates);
        return;
    case CONTEXT_OPERATOR:
        if (!is_empty(context->word)) offer_operators(candidates);
        return;
    case CONTEXT_ATTRIBUTE: offer_attributes(place, candidates); return;
    case CONTEXT_ARGUMENT: offer_arguments(place, candidates); return;
    case CONTEXT_STRING: offer_string(place, candidates); return;
    }
}
