#include "shell/completion/completion_shared.h"

#include "base/utf8.h"
#include "io/file.h"
#include "lang/class.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static bool is_empty(Span span) { return span.begin == span.end; }

/* ---- keywords ---- */

/* Offers the keywords of a role. A space follows those after which the line continues. */
static void offer_keywords(unsigned role, Candidates *candidates) {
    for (int i = TOKEN_AND; i < TOKEN_COUNT; i++) {
        TokenKind kind = (TokenKind)i;
        bool ends =
            token_has(kind, ROLE_LEAF) || (role == ROLE_STATEMENT && token_has(kind, ROLE_ALONE));
        if (token_has(kind, role))
            candidates_offer(candidates, (Offer){.name = token_kind_text(kind), .closed = !ends});
    }
}

/* ---- names ---- */

void offer_variables(const Place *place, bool arrays, Candidates *candidates) {
    bool underscores = candidates->word.length > 0 && candidates->word.data[0] == '_';
    VariableWalk walk = {.interp = &place->session->interp};
    for (const Symbol *symbol; (symbol = variable_next(&walk));) {
        const char *name = symbol->name;
        ValueKind kind = symbol->value.kind;
        /* _, _1, _2 ... are values that were shown. */
        bool shown = *name == '_' && name[1 + strspn(name + 1, "0123456789")] == '\0';
        if ((arrays && kind != VALUE_TENSOR) || (*name == '_' && (!underscores || shown))) continue;
        bool called = kind == VALUE_FUNCTION || kind == VALUE_BUILTIN;
        candidates_offer(candidates, (Offer){.name = name, .suffix = called ? "(" : ""});
    }
}

void offer_functions(const Place *place, bool called, Candidates *candidates) {
    const Interp *interp = &place->session->interp;
    for (const BuiltinDef *const *table = interp->tables; *table; table++)
        for (const BuiltinDef *row = *table; row->name; row++) {
            if (row->receiver || !candidates_match(candidates, row->name)) continue;
            if (place->object.module && row->make) continue;
            const Symbol *symbol = interp_find(interp, row->name);
            /* A variable of the same name hides a function. */
            if (symbol && symbol->value.kind != VALUE_UNSET) continue;
            candidates_offer(candidates,
                             (Offer){.name = row->name, .suffix = called && row->call ? "(" : ""});
        }
}

void offer_commands(const Place *place, Candidates *candidates) {
    for (const CommandSyntax *row = place->session->syntax; row->name; row++)
        candidates_offer(candidates, (Offer){.name = row->name, .closed = true});
}

/* All functions at once would be a page of names that nobody asked for: they wait for a letter. */
void offer_values(const Place *place, Candidates *candidates) {
    offer_variables(place, false, candidates);
    offer_locals(place->text, place->context.word.begin, candidates);
    if (candidates->word.length == 0) return;
    offer_functions(place, true, candidates);
    offer_keywords(ROLES_BEGIN_VALUE, candidates);
}

/* ---- attributes ---- */

static bool is_name(const char *name) {
    size_t length = strlen(name);
    for (size_t at = 0; at < length;) {
        uint32_t c;
        size_t size = utf8_next(name + at, length - at, &c);
        if (!(at == 0 ? utf8_is_letter(c) : utf8_is_name(c))) return false;
        at += size;
    }
    return length > 0;
}

/* Names with underscores wait until one is typed. */
static void offer_member(void *context, const char *name, const Value *member) {
    Candidates *candidates = context;
    bool wanted = name[0] != '_' || candidates->word.length > 0;
    bool called = member->kind == VALUE_FUNCTION ||
                  (member->kind == VALUE_METHOD && member->method->role != METHOD_PROPERTY);
    if (wanted && is_name(name))
        candidates_offer(candidates,
                         (Offer){.name = name, .suffix = called ? "(" : "", .first = !called});
}

/* Attributes come first: a hundred methods would hide them. */
static void offer_attributes(const Place *place, Candidates *candidates) {
    const Interp *interp = &place->session->interp;
    const Value *object = &place->object.value;
    if (place->object.module) offer_functions(place, true, candidates);
    if (object->kind == VALUE_UNSET) return;
    for (size_t i = 0; object->kind == VALUE_RECORD && i < object->record->count; i++) {
        const char *field = record_name(object->record, i);
        if (field && is_name(field))
            candidates_offer(candidates, (Offer){.name = field, .first = true});
    }
    members_each(object, offer_member, candidates);
    const char *const *names = value_attributes(object);
    for (size_t i = 0; names && names[i]; i++)
        candidates_offer(candidates, (Offer){.name = names[i], .first = true});

    for (const BuiltinDef *const *table = interp->tables; *table; table++)
        for (const BuiltinDef *row = *table; row->name; row++) {
            /* print, str and exit work behind a dot, too, but are written before an array. */
            bool plain = !row->receiver && strcmp(row->group, "plain") == 0;
            if (!plain && candidates_match(candidates, row->name) &&
                !(names && names_contain(names, row->name)) &&
                find_method((Interp *)interp, object, row->name) == row)
                candidates_offer(candidates, (Offer){.name = row->name, .suffix = "("});
        }
}

/* ---- calls ---- */

bool place_spells(const Place *place, Span span, const char *name) {
    return !is_empty(span) && strlen(name) == span.end - span.begin &&
           memcmp(place->text + span.begin, name, span.end - span.begin) == 0;
}

static void offer_parameters(const Place *place, Candidates *candidates) {
    const Callee *callee = &place->callee;
    for (int i = callee->first + place->given.before; i < callee->count; i++) {
        const char *name = callee_parameter(callee, i);
        bool given = name == NULL;
        for (int j = 0; !given && j < place->given.count; j++)
            given = place_spells(place, place->given.names[j], name);
        if (!given)
            candidates_offer(candidates, (Offer){.name = name, .suffix = "=", .first = true});
    }
}

/* The parameter that the argument at the point is for; NULL: not known. */
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

static bool is_token(const Place *place) {
    return place->context.command && !place->context.in_call && command_takes_token(place);
}

static void offer_string(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    /* mask="causal and w": the words of the setting that is called like the parameter */
    const char *parameter = parameter_at(place);
    const SettingDef *setting = parameter ? setting_find(parameter) : NULL;
    if (is_path(place)) offer_files(place, context->quotes, !context->in_call, candidates);
    else if (setting) candidates_offer_words(candidates, setting_words(setting), NULL, NULL);
    else if (is_token(place)) offer_tokens(place, candidates);
    else offer_parts_of_model(place, candidates);
}

/* ---- the place ---- */

bool place_init(Place *place, const Session *session, const char *text, size_t length, size_t point,
                Error *err) {
    *place = (Place){.session = session,
                     .text = text,
                     .length = length,
                     .object = {.value = VALUE_MISSING},
                     .callee = {.function = VALUE_MISSING, .signature = {.rest = -1}}};
    context_find(&place->context, session->interp.hooks.commands, text, length, point);
    const Context *context = &place->context;
    Error unknown = {.kind = ERR_NONE};
    bool ok = true;
    if (context->in_call) {
        context_given(context, text, length, &place->given);
        /* A function that is not known has no parameters to offer: only lack of memory counts. */
        ok = callee_find(session, text, context->callee, &place->callee, &unknown) ||
             unknown.kind != ERR_LIMIT;
        if (!ok && err) *err = unknown;
    }
    if (ok && context->kind == CONTEXT_ATTRIBUTE)
        ok = chain_meaning(session, text, context->object, &place->object, err);
    if (!ok) {
        place_release(place);
        return false;
    }
    /* A path and a token are replaced with their quotes, other words of a string without. */
    place->begin = context->word.begin;
    if (context->kind == CONTEXT_STRING)
        place->begin =
            is_path(place) || is_token(place) ? context->quotes.begin : place_word(place).begin;
    return true;
}

void place_release(Place *place) {
    callee_release(&place->callee);
    value_release(&place->object.value);
}

/* The last name of a path that is typed: behind its last slash. */
static Span path_word(const char *text, Span path) {
    Span word = {path.end, path.end};
    while (word.begin > path.begin && text[word.begin - 1] != '/') word.begin--;
    return word;
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
        offer_keywords(ROLE_STATEMENT, candidates);
        return;
    case CONTEXT_VALUE:
        if (context->begins_argument) offer_parameters(place, candidates);
        if (takes_path(place)) offer_files(place, (Span){0, 0}, false, candidates);
        offer_values(place, candidates);
        return;
    case CONTEXT_OPERATOR:
        if (!is_empty(context->word)) offer_keywords(ROLE_OPERATOR | ROLE_CONTINUES, candidates);
        return;
    case CONTEXT_ATTRIBUTE: offer_attributes(place, candidates); return;
    case CONTEXT_ARGUMENT: offer_arguments(place, candidates); return;
    case CONTEXT_STRING: offer_string(place, candidates); return;
    }
}

/* File names: those of the folder that has been typed. */

bool fits_quotes(const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || strchr("\"'\\\x7f", text[i])) return false;
    return utf8_check(text, length) == length;
}

/* The quotes that close what these open: without the prefix. */
static const char *closing_quotes(const char *text, Span quotes) {
    if (quotes.end == quotes.begin) return "\"";
    bool single = text[quotes.end - 1] == '\'';
    bool triple = quotes.end - quotes.begin >= 3 && text[quotes.end - 3] == text[quotes.end - 1];
    if (triple) return single ? "'''" : "\"\"\"";
    return single ? "'" : "\"";
}

void offer_files(const Place *place, Span quotes, bool closed, Candidates *candidates) {
    const char *text = place->text;
    Span path = place->context.word, word = path_word(text, path);
    size_t typed = word.begin - path.begin; /* bytes of folders */
    LocalText given = TEXT_EMPTY, folder = TEXT_EMPTY;
    /* The folder to look in: ~ and relative paths as load and save understand them. */
    text_bytes(&given, text + path.begin, typed);
    path_join(&folder, place->session->interp.directory, given.data);
    if (folder.length == 0) text_char(&folder, '.');

    text_clear(&candidates->before);
    if (quotes.begin == quotes.end) text_char(&candidates->before, '"');
    text_bytes(&candidates->before, text + quotes.begin, quotes.end - quotes.begin);
    text_bytes(&candidates->before, text + path.begin, typed);
    if (given.failed || folder.failed || candidates->before.failed) candidates->failed = true;

    bool hidden = word.begin < word.end && text[word.begin] == '.';
    DIR *directory = candidates->failed ? NULL : opendir(folder.data);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (name[0] == '.' && !hidden))
            continue;
        if (!fits_quotes(name) || !candidates_match(candidates, name)) continue;
        LocalText whole = TEXT_EMPTY;
        struct stat status;
        text_format(&whole, "%s/%s", folder.data, name);
        if (whole.failed) candidates->failed = true;
        bool is_folder = !whole.failed && stat(whole.data, &status) == 0 && S_ISDIR(status.st_mode);
        candidates_offer(candidates,
                         (Offer){.name = name,
                                 .suffix = is_folder ? "/" : closing_quotes(text, quotes),
                                 .closed = closed && !is_folder});
    }
    if (directory) closedir(directory);
    text_clear(&candidates->before);
}
