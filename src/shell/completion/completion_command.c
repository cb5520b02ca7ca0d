/* What may stand among the arguments of a command. Its usage says in which order they stand: "why
 * QUERY KEY [head h] [as latex]". */
#include "session/bench/result_view.h"
#include "shell/completion/completion_sources.h"

#include <string.h>

static bool before_is(const Place *place, const char *word) {
    return place_spells(place, place->context.before, word);
}

static const CommandDef *row_of(const Place *place) {
    return session_command(place->session, place->context.command->name);
}

/* ---- what has been typed ---- */

/* The next of the arguments that spaces separate, within text[*at, end); one in quotes is one. */
static bool next_argument(const char *text, size_t end, size_t *at, Span *out) {
    char open = 0;
    while (*at < end && text[*at] == ' ') ++*at;
    out->begin = *at;
    for (; *at < end && (open || text[*at] != ' '); ++*at) {
        if (open ? text[*at] == open : strchr("\"'", text[*at]) != NULL)
            open = open ? 0 : text[*at];
    }
    out->end = *at;
    return out->end > out->begin;
}

static size_t arguments_end(const Place *place) {
    const Context *context = &place->context;
    return context->kind == CONTEXT_STRING ? context->quotes.begin : context->word.begin;
}

static size_t count_arguments(const Place *place) {
    size_t count = 0, at = place->context.arguments_begin;
    for (Span span; next_argument(place->text, arguments_end(place), &at, &span);) count++;
    return count;
}

/* Of the value that is being typed: another one begins behind `against`. */
static bool was_typed(const Place *place, const char *word) {
    bool typed = false;
    size_t at = place->context.arguments_begin;
    for (Span span; next_argument(place->text, arguments_end(place), &at, &span);) {
        if (place_spells(place, span, "against")) typed = false;
        if (place_spells(place, span, word)) typed = true;
    }
    return typed;
}

/* ---- where words stand ---- */

/* Words that stand between two arguments. */
static const char *const joining[] = {"to", "as", "from", "against", "and", NULL};

static bool joins(const char *word) {
    for (int i = 0; joining[i]; i++)
        if (strcmp(word, joining[i]) == 0) return true;
    return false;
}

static bool behind_joiner(const Place *place) {
    for (int i = 0; joining[i]; i++)
        if (before_is(place, joining[i])) return true;
    return false;
}

/* The argument `index` of a usage as it stands there, with its brackets; empty: it has none. */
static Span usage_argument(const char *usage, size_t index) {
    size_t length = strlen(usage), at = strcspn(usage, " ");
    Span span = {at, at};
    for (size_t i = 0; i <= index; i++)
        if (!next_argument(usage, length, &at, &span)) return (Span){length, length};
    return span;
}

static bool usage_says(const CommandDef *row, size_t index, const char *what) {
    Span span = usage_argument(row->usage, index);
    const char *at = row->usage + span.begin;
    size_t length = strlen(what), open = *at == '[';
    return span.end - span.begin == length + 2 * open && strncmp(at + open, what, length) == 0;
}

/* How many arguments cannot be left out before the first that can, or that is a word of the
 * command. */
static size_t arguments_needed(const CommandDef *row) {
    size_t count = 0;
    for (;; count++) {
        Span span = usage_argument(row->usage, count);
        if (span.begin == span.end || row->usage[span.begin] < 'A' || row->usage[span.begin] > 'Z')
            return count;
    }
}

/* Whether a word of the command may stand here, among the arguments. */
static bool may_stand(const Place *place, const char *word) {
    const Context *context = &place->context;
    size_t count = count_arguments(place);
    bool again = was_typed(place, word), head = strcmp(word, "head") == 0;
    if (before_is(place, "as") || strcmp(word, "text") == 0 || strcmp(word, "latex") == 0)
        return before_is(place, "as") && (strcmp(word, "text") == 0 || strcmp(word, "latex") == 0);
    if (behind_joiner(place) && (joins(word) || head)) return false;
    if (strcmp(word, "and") == 0) return count > 0;
    if (joins(word) || head)
        return !again && count + (context->picked != NULL) >= arguments_needed(row_of(place)) &&
               (count > 0 || head);
    /* The value of a setting begins with the first of the arguments, and where one stands behind
     * another. */
    bool two = context->picked && command_has_word(context->command, "against", strlen("against"));
    bool begins = count == 0 || (two && count == 1 && !was_typed(place, "against")) ||
                  before_is(place, "and") || before_is(place, "against");
    return !again && begins;
}

static void offer_words(const Place *place, const char *words, Candidates *candidates) {
    Text word;
    text_init(&word);
    for (const char *at = words ? words : ""; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        text_clear(&word);
        text_bytes(&word, at, length);
        if (word.failed) candidates->failed = true;
        else if (may_stand(place, word.data)) candidates_offer_words(candidates, word.data);
        at += length;
    }
    text_release(&word);
}

/* ---- files ---- */

bool command_takes_file(const Place *place) {
    const CommandSyntax *command = place->context.command;
    if (command->takes == TAKES_FILE)
        return !*command->words ||
               command_has_word(command, place->text + place->context.before.begin,
                                place->context.before.end - place->context.before.begin);
    return before_is(place, "to") && command_has_word(command, "to", strlen("to"));
}

/* ---- queries, keys, snapshots ---- */

static Value labels_here(const Place *place) {
    const Session *session = place->session;
    const CommandDef *row = row_of(place);
    if (!row || !session->bench.run || place->context.picked) return VALUE_NOTHING;
    size_t index = count_arguments(place);
    if (usage_says(row, index, "QUERY")) return query_labels(session, session->bench.run->queries);
    return usage_says(row, index, "KEY") ? key_labels(session, session->bench.run->keys)
                                         : VALUE_NOTHING;
}

bool command_takes_token(const Place *place) { return labels_here(place).kind != VALUE_NONE; }

void offer_tokens(const Place *place, Candidates *candidates) {
    Value labels = labels_here(place);
    Span quotes = place->context.quotes;
    bool open = place->context.kind == CONTEXT_STRING;
    const char *close = open && place->text[quotes.end - 1] == '\'' ? "'" : "\"";
    if (labels.kind == VALUE_NONE || quotes.end > quotes.begin + 1) return;
    text_string(&candidates->before, close);
    for (size_t i = 0; i < labels.list->count; i++) {
        const char *token = labels.list->items[i].string->data;
        if (fits_quotes(token))
            candidates_offer(
                candidates, (Offer){.name = token, .suffix = close, .first = true, .closed = true});
    }
    if (candidates->before.failed) candidates->failed = true;
    text_clear(&candidates->before);
}

static void offer_snapshots(const Place *place, Candidates *candidates) {
    const Snapshots *list = place->session->bench.snapshots;
    const CommandDef *row = row_of(place);
    if (!row || !usage_says(row, count_arguments(place), "NAME")) return;
    for (size_t i = 0; list && i < list->count; i++)
        if (!was_typed(place, list->items[i]->name))
            candidates_offer(candidates, (Offer){.name = list->items[i]->name, .closed = true});
}

/* ---- settings ---- */

static void offer_settings(bool steering, Candidates *candidates) {
    for (const SettingDef *row = setting_table; row->name; row++)
        if (!steering || row->steers_attention)
            candidates_offer(candidates, (Offer){.name = row->name, .closed = true});
}

static const CommandDef *command_named(const Place *place, Span span) {
    for (const CommandDef *const *table = place->session->commands; *table; table++)
        for (const CommandDef *row = *table; row->syntax.name; row++)
            if (place_spells(place, span, row->syntax.name)) return row;
    return NULL;
}

static void offer_pages(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    const CommandDef *before =
        context->arguments == 1 ? command_named(place, context->before) : NULL;
    if (context->arguments > 0 && !(before && before->takes_setting)) return;
    offer_settings(before && before->syntax.takes == TAKES_STEERING, candidates);
    if (context->arguments > 0) return;
    candidates_offer_words(candidates, context->command->words);
    offer_commands(place, candidates);
    if (candidates->word.length > 0) offer_functions(place, false, candidates);
}

/* ---- values ---- */

/* Whether an expression may begin: behind a whole one stand only the words that go on, and so
 * behind a word for what is drawn. */
static bool begins_expression(const Place *place) {
    const Context *context = &place->context;
    const char *before = place->text + context->before.begin;
    size_t length = context->before.end - context->before.begin;
    if (!context->behind_value || context->arguments <= (context->picked ? 1 : 0)) return true;
    return behind_joiner(place) || command_has_word(context->picked, before, length);
}

void offer_arguments(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    const CommandSyntax *command = context->command, *picked = context->picked;
    const CommandDef *row = row_of(place);
    if (command_takes_file(place)) {
        offer_files(place->session, place->text, (Span){0, 0}, context->word, true, candidates);
        return;
    }
    if (command->takes == TAKES_PAGES) {
        offer_pages(place, candidates);
        return;
    }
    if (command->takes == TAKES_SNAPSHOTS) offer_snapshots(place, candidates);
    if (command->sub) {
        if (context->arguments == 0) offer_settings(command->takes == TAKES_STEERING, candidates);
        /* `unset NAME` and `show NAME` end with the name. */
        size_t length = row ? strlen(row->usage) : 0;
        bool ends = row && row->takes_setting && length >= 4 &&
                    strcmp(row->usage + length - 4, "NAME") == 0;
        if (context->arguments > 0 ? ends : command->takes != TAKES_VALUES) return;
    }
    offer_tokens(place, candidates);
    offer_words(place, command->words, candidates);
    if (picked) offer_words(place, picked->words, candidates);

    bool expression = picked ? picked->expression : command->expression;
    const SettingDef *setting = picked ? setting_find(picked->name) : NULL;
    if (before_is(place, "as") || (expression && !begins_expression(place))) return;
    if (expression || command->takes == TAKES_VALUES) offer_values(place, candidates);
    else if (command->takes == TAKES_ARRAYS || (setting && setting->steers_attention))
        offer_variables(place, true, candidates);
}
