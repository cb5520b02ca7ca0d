#include "shell/completion_sources.h"

#include "base/utf8.h"

#include <string.h>

static bool is_empty(Span span) {
    return span.begin == span.end;
}

/* ---- keywords ---- */

static void offer_keywords(Candidates *candidates, const TokenKind *kinds, size_t count, bool closed) {
    for (size_t i = 0; i < count; i++)
        candidates_offer(candidates, (Offer){.name = token_kind_text(kinds[i]), .closed = closed});
}

#define OFFER_KEYWORDS(candidates, kinds, closed) offer_keywords(candidates, kinds, sizeof(kinds) / sizeof *(kinds), closed)

static void offer_statement_keywords(Candidates *candidates) {
    static const TokenKind opening[] = {TOKEN_FOR, TOKEN_WHILE, TOKEN_IF, TOKEN_ELIF, TOKEN_DEF, TOKEN_RETURN, TOKEN_ASSERT,
                                        TOKEN_EXCEPT, TOKEN_DEL, TOKEN_IMPORT, TOKEN_FROM};
    static const TokenKind whole[] = {TOKEN_ELSE, TOKEN_TRY, TOKEN_PASS, TOKEN_BREAK, TOKEN_CONTINUE};
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
    static const TokenKind operators[] = {TOKEN_AND, TOKEN_OR, TOKEN_NOT, TOKEN_IN, TOKEN_IS, TOKEN_IF, TOKEN_ELSE, TOKEN_FOR};
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

static void offer_variables(const Place *place, bool arrays, Candidates *candidates) {
    Variables variables = {candidates, arrays, candidates->word.length > 0 && candidates->word.data[0] == '_'};
    interp_each(&place->session->interp, offer_variable, &variables);
}

/* A variable of the same name hides a function. */
static bool is_hidden(const Interp *interp, const char *name) {
    const Symbol *symbol = interp_find(interp, name);
    return symbol && symbol->value.kind != VALUE_UNSET;
}

/* called: as they are called, with a bracket. */
static void offer_functions(const Place *place, bool called, Candidates *candidates) {
    const Interp *interp = &place->session->interp;
    for (const BuiltinDef *const *table = interp->tables; *table; table++)
        for (const BuiltinDef *row = *table; row->name; row++)
            if (!row->receiver && candidates_match(candidates, row->name) && !is_hidden(interp, row->name))
                candidates_offer(candidates, (Offer){.name = row->name, .suffix = called && row->call ? "(" : ""});
}

static void offer_commands(const Place *place, Candidates *candidates) {
    for (const CommandDef *const *table = place->session->commands; *table; table++)
        for (const CommandDef *row = *table; row->syntax.name; row++)
            candidates_offer(candidates, (Offer){.name = row->syntax.name, .closed = true});
}

static void offer_settings(Candidates *candidates) {
    for (const SettingDef *row = setting_table; row->name; row++)
        candidates_offer(candidates, (Offer){.name = row->name, .closed = true});
}

/* All functions at once would be a page of names that nobody asked for: they wait for a letter. */
static void offer_values(const Place *place, Candidates *candidates) {
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
        if (is_name(record->names[i]->data)) candidates_offer(candidates, (Offer){.name = record->names[i]->data, .first = true});
}

static void offer_methods(const Place *place, const Value *object, Candidates *candidates) {
    const Interp *interp = &place->session->interp;
    for (const BuiltinDef *const *table = interp->tables; *table; table++)
        for (const BuiltinDef *row = *table; row->name; row++)
            if (candidates_match(candidates, row->name) && find_method((Interp *)interp, object, row->name) == row)
                candidates_offer(candidates, (Offer){.name = row->name, .suffix = "("});
}

/* Attributes come first: a hundred methods would hide them. */
static void offer_attributes(const Place *place, Candidates *candidates) {
    const Value *object = &place->object.value;
    if (place->object.module) offer_functions(place, true, candidates);
    if (object->kind == VALUE_UNSET) return;
    if (object->kind == VALUE_RECORD) offer_fields(object->record, candidates);
    const char *const *names = value_attributes(object);
    for (; names && *names; names++) candidates_offer(candidates, (Offer){.name = *names, .first = true});
    offer_methods(place, object, candidates);
}

/* ---- calls ---- */

static bool spells(const Place *place, Span span, const char *name) {
    return !is_empty(span) && strlen(name) == span.end - span.begin && memcmp(place->text + span.begin, name, span.end - span.begin) == 0;
}

static bool is_given(const Place *place, const char *name) {
    for (int i = 0; i < place->given.count; i++)
        if (spells(place, place->given.names[i], name)) return true;
    return false;
}

static void offer_parameters(const Place *place, Candidates *candidates) {
    const Callee *callee = &place->callee;
    for (int i = callee->first + place->given.before; i < callee->count; i++) {
        const char *name = callee_parameter(callee, i);
        if (name && !is_given(place, name)) candidates_offer(candidates, (Offer){.name = name, .suffix = "=", .first = true});
    }
}

/* The parameter that the argument at the point is for; NULL. */
static const char *parameter_at(const Place *place) {
    const Callee *callee = &place->callee;
    if (!place->context.among_arguments) return NULL;
    for (int i = 0; i < callee->count; i++) {
        const char *name = callee_parameter(callee, i);
        bool this = is_empty(place->given.name) ? i == callee->first + place->given.before : name && spells(place, place->given.name, name);
        if (this) return name;
    }
    return NULL;
}

static bool takes_path(const Place *place) {
    const char *parameter = parameter_at(place);
    return parameter && strcmp(parameter, "path") == 0;
}

/* ---- commands ---- */

/* After `to` and where the command takes nothing else. */
static bool command_takes_file(const Place *place) {
    const Context *context = &place->context;
    if (context->command->takes == TAKES_FILE) return true;
    return spells(place, context->before, "to") && command_has_word(context->command, "to", 2);
}

static bool is_own_word(const Context *context, const char *word, size_t length) {
    return command_has_word(context->command, word, length) || command_has_word(context->picked, word, length);
}

static const CommandDef *command_named(const Place *place, Span span) {
    for (const CommandDef *const *table = place->session->commands; *table; table++)
        for (const CommandDef *row = *table; row->syntax.name; row++)
            if (spells(place, span, row->syntax.name)) return row;
    return NULL;
}

static void offer_pages(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    const CommandDef *before = context->arguments == 1 ? command_named(place, context->before) : NULL;
    if (context->arguments > 0 && !(before && before->takes_setting)) return;
    offer_settings(candidates);
    if (context->arguments > 0) return;
    offer_commands(place, candidates);
    if (candidates->word.length > 0) offer_functions(place, false, candidates);
}

/* `unset NAME` and `show NAME` end with the name. */
static bool takes_more(const Place *place) {
    const CommandDef *row = session_command(place->session, place->context.command->name);
    size_t length = row ? strlen(row->usage) : 0;
    return !(row && row->takes_setting && length >= 4 && strcmp(row->usage + length - 4, "NAME") == 0);
}

/* Among values stand no others where one ends: only the words that go on. */
static void offer_command_values(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    bool expression = context->picked ? context->picked->expression : context->command->expression;
    bool word_before = is_own_word(context, place->text + context->before.begin, context->before.end - context->before.begin);
    if (expression && context->behind_value && context->arguments > (context->picked ? 1 : 0) && !word_before) return;
    const SettingDef *setting = context->picked ? setting_find(context->picked->name) : NULL;
    if (expression || context->command->takes == TAKES_VALUES) offer_values(place, candidates);
    else if (context->command->takes == TAKES_ARRAYS || (setting && setting->steers_attention)) offer_variables(place, true, candidates);
}

static void offer_arguments(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    const CommandSyntax *command = context->command;
    if (command_takes_file(place)) {
        offer_files(place->session, place->text, (Span){0, 0}, context->word, true, candidates);
        return;
    }
    if (command->takes == TAKES_PAGES) offer_pages(place, candidates);
    if (command->sub && context->arguments == 0) offer_settings(candidates);
    if (command->sub && (context->arguments > 0 ? !takes_more(place) : command->takes != TAKES_VALUES)) return;
    candidates_offer_words(candidates, command->words);
    if (context->picked) candidates_offer_words(candidates, context->picked->words);
    offer_command_values(place, candidates);
}

/* ---- strings ---- */

static bool is_path(const Place *place) {
    return place->context.among_arguments ? takes_path(place) : place->context.command && command_takes_file(place);
}

/* mask="causal and w": the words of the setting that is called like the parameter. */
static const SettingDef *setting_of_string(const Place *place) {
    const char *parameter = parameter_at(place);
    return parameter ? setting_find(parameter) : NULL;
}

static void offer_string(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    const SettingDef *setting = setting_of_string(place);
    if (is_path(place)) offer_files(place->session, place->text, context->quotes, context->word, !context->in_call, candidates);
    else if (setting) candidates_offer_words(candidates, setting->words);
}

/* ---- the place ---- */

static bool find_callee(Place *place, Error *err) {
    Error unknown = {.kind = ERR_NONE};
    if (!place->context.in_call || callee_find(place->session, place->text, place->context.callee, &place->callee, &unknown)) return true;
    if (unknown.kind != ERR_LIMIT) return true;
    if (err) *err = unknown;
    return false;
}

/* A path is replaced with its quotes, other words of a string alone. */
static size_t place_begin(const Place *place) {
    if (place->context.kind != CONTEXT_STRING) return place->context.word.begin;
    return is_path(place) ? place->context.quotes.begin : place_word(place).begin;
}

bool place_init(Place *place, const Session *session, const char *text, size_t length, size_t point, Error *err) {
    *place = (Place){.session = session, .text = text, .length = length, .object = {.value = VALUE_MISSING}, .callee = {.function = VALUE_MISSING, .signature = {.rest = -1}}};
    context_find(&place->context, session->interp.hooks.commands, text, length, point);
    const Context *context = &place->context;
    if (context->in_call) context_given(context, text, length, &place->given);
    bool ok = find_callee(place, err);
    if (ok && context->kind == CONTEXT_ATTRIBUTE) ok = chain_meaning(session, text, context->object, &place->object, err);
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
        if (takes_path(place)) offer_files(place->session, place->text, (Span){0, 0}, context->word, false, candidates);
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
