/* Completes the arguments of a command. Its usage says in which order they come: "why QUERY KEY
 * [head h] [as latex]". */
#include "shell/completion/completion_shared.h"
#include "session/bench/result_view.h"
#include "session/models/inspection.h"
#include "notebook/catalog.h"
#include "notebook/player.h"

#include <string.h>

bool place_is_behind(const Place *place, const char *words) {
    Span before = place->context.before;
    return words_contain(words, place->text + before.begin, before.end - before.begin);
}

static const CommandDef *command_row(const Place *place) {
    return session_command(place->session, place->context.command->name);
}

/* ---- what has been typed ---- */

/* The next of the arguments that spaces separate, within text[*at, end); one in quotes is one. */
static bool next_argument(const char *text, size_t end, size_t *at, Span *out) {
    char open = 0;
    while (*at < end && text[*at] == ' ') ++*at;
    out->begin = *at;
    for (; *at < end && (open || text[*at] != ' '); ++*at) {
        char c = text[*at];
        if (open && c == open) open = 0;
        else if (!open && (c == '"' || c == '\'')) open = c;
    }
    out->end = *at;
    return out->end > out->begin;
}

/* The next argument before the word that is being typed. */
static bool next_typed(const Place *place, size_t *at, Span *out) {
    const Context *context = &place->context;
    bool string = context->kind == CONTEXT_STRING;
    size_t end = string ? context->quotes.begin : context->word.begin;
    return next_argument(place->text, end, at, out);
}

static size_t count_arguments(const Place *place) {
    size_t count = 0, at = place->context.arguments_begin;
    for (Span span; next_typed(place, &at, &span);) count++;
    return count;
}

bool argument_is_typed(const Place *place, const char *word) {
    bool typed = false;
    size_t at = place->context.arguments_begin;
    for (Span span; next_typed(place, &at, &span);) {
        if (place_spells(place, span, "against")) typed = false;
        if (place_spells(place, span, word)) typed = true;
    }
    return typed;
}

/* ---- the usage ---- */

/* Argument `index` of a usage as it is written there, with its brackets; empty: there is none. */
static Span usage_argument(const char *usage, size_t index) {
    size_t length = strlen(usage), at = strcspn(usage, " ");
    Span span = {at, at};
    for (size_t i = 0; i <= index; i++)
        if (!next_argument(usage, length, &at, &span)) return (Span){length, length};
    return span;
}

/* True if argument `index` is WHAT or [WHAT...]. */
static bool usage_says(const CommandDef *row, size_t index, const char *what) {
    Span span = usage_argument(row->usage, index);
    const char *at = row->usage + span.begin;
    size_t length = strlen(what), open = *at == '[';
    return span.end - span.begin == length + 2 * open && strncmp(at + open, what, length) == 0;
}

/* The number of arguments before the first that can be left out, or that is a word of the
 * command. */
static size_t arguments_needed(const CommandDef *row) {
    for (size_t count = 0;; count++) {
        Span span = usage_argument(row->usage, count);
        char first = row->usage[span.begin];
        if (span.begin == span.end || first < 'A' || first > 'Z') return count;
    }
}

/* ---- words ---- */

/* Words between two others. */
static const char joiners[] = "to as from against and";

/* True if the value of a setting begins here: as the first of the arguments, or behind another
 * value. */
static bool begins_value(const Place *place) {
    const Context *context = &place->context;
    if (place_is_behind(place, "and against")) return true;
    size_t count = count_arguments(place);
    bool two = context->picked && command_has_word(context->command, "against", strlen("against"));
    return count == 0 || (two && count == 1 && !argument_is_typed(place, "against"));
}

/* True behind an option of the command, where its value comes. */
static bool behind_option(const Place *place) {
    const char *options = place->context.command->options;
    return options && place_is_behind(place, options);
}

static bool word_may_stand(const void *context, const char *word) {
    const Place *place = context;
    size_t length = strlen(word);
    const CommandSyntax *command = place->context.command;
    bool head = strcmp(word, "head") == 0, joiner = words_contain(joiners, word, length);
    bool option = command_has_option(command, word, length);
    bool behind_as = place_is_behind(place, "as");
    if (strncmp(word, "--", 2) == 0) {
        /* --force is allowed behind the name of a file, which ends in a quote. */
        size_t end = place->context.before.end;
        bool quote = end > 0 && strchr("\"'", place->text[end - 1]),
             file = argument_is_typed(place, "to") || !command_has_word(command, "to", 2);
        return quote && file && !argument_is_typed(place, word);
    }
    /* The forms in which a picture or a derivation is shown. */
    if (words_contain("text latex lines log logx loglog", word, length)) return behind_as;
    if (strcmp(word, "new") == 0) return false;    /* `to new "w.png"` is for scripts */
    if (option && names_contain(site_names, word)) /* which attention of a model */
        return place_is_behind(place, "head layer") && count_arguments(place) <= 2;
    if (behind_as || (place_is_behind(place, joiners) && (joiner || head || option))) return false;

    size_t count = count_arguments(place);
    if (behind_option(place)) return false;
    if (option && strcmp(word, "at") == 0) return place_is_behind(place, "lens rollout saliency");
    /* These words choose which links are drawn, so they belong to links alone. */
    if (option && words_contain("of threshold layer", word, length) &&
        !argument_is_typed(place, "links"))
        return false;
    if (option) return count > 0 && !argument_is_typed(place, word);
    if (strcmp(word, "and") == 0) return count > 0;
    if (argument_is_typed(place, word)) return false;
    if (!joiner && !head) return begins_value(place);
    size_t given = count + (place->context.picked ? 1 : 0);
    return given >= arguments_needed(command_row(place)) && (count > 0 || head);
}

/* ---- files, tokens, snapshots ---- */

bool command_takes_file(const Place *place) {
    const CommandSyntax *command = place->context.command;
    if (command->takes == TAKES_FILE)
        return !*command->words || place_is_behind(place, command->words) || behind_option(place);
    return place_is_behind(place, "to") && command_has_word(command, "to", strlen("to"));
}

/* The tokens of the queries or keys, if one is to be named here; or none. */
static Value labels_here(const Place *place) {
    const Session *session = place->session;
    const CommandDef *row = command_row(place);
    if (!session->bench.run || place->context.picked) return VALUE_NOTHING;
    size_t index = count_arguments(place);
    bool of = place_is_behind(place, "of") && command_has_option(place->context.command, "of", 2);
    if (of || usage_says(row, index, "QUERY"))
        return query_labels(session, session->bench.run->queries);
    if (usage_says(row, index, "KEY")) return key_labels(session, session->bench.run->keys);
    return VALUE_NOTHING;
}

bool command_takes_token(const Place *place) { return labels_here(place).kind != VALUE_NONE; }

void offer_tokens(const Place *place, Candidates *candidates) {
    Value labels = labels_here(place);
    Span quotes = place->context.quotes;
    bool open = place->context.kind == CONTEXT_STRING;
    const char *quote = open && place->text[quotes.end - 1] == '\'' ? "'" : "\"";
    if (labels.kind == VALUE_NONE || quotes.end > quotes.begin + 1) return;
    text_string(&candidates->before, quote);
    for (size_t i = 0; i < labels.list->count; i++) {
        Offer offer = {.name = labels.list->items[i].string->data,
                       .suffix = quote,
                       .first = true,
                       .closed = true};
        if (fits_quotes(offer.name)) candidates_offer(candidates, offer);
    }
    if (candidates->before.failed) candidates->failed = true;
    text_clear(&candidates->before);
}

static void offer_snapshots(const Place *place, Candidates *candidates) {
    const Snapshots *list = place->session->bench.snapshots;
    const CommandDef *row = command_row(place);
    if (!usage_says(row, count_arguments(place), "NAME")) return;
    for (size_t i = 0; list && i < list->count; i++)
        if (!argument_is_typed(place, list->items[i]->name))
            candidates_offer(candidates, (Offer){.name = list->items[i]->name, .closed = true});
}

/* ---- lessons, and the exercises of the one that is open ---- */

static void offer_lessons(const Place *place, Candidates *candidates) {
    const Session *session = place->session;
    CatalogEntry entry;
    const char *exercise;
    if (place->context.arguments > 0) return;
    if (strcmp(place->context.command->name, "goto") == 0) {
        for (int i = 0; session->player && (exercise = player_exercise(session->player, i)); i++)
            candidates_offer(candidates, (Offer){.name = exercise, .closed = true});
        return;
    }
    for (size_t i = 0; catalog_entry(LANGUAGE_ENGLISH, i, &entry); i++)
        candidates_offer(candidates, (Offer){.name = entry.id, .closed = true});
}

/* ---- settings and pages of help ---- */

static void offer_settings(bool steering, Candidates *candidates) {
    for (const SettingDef *row = setting_table; row->name; row++)
        if (!steering || row->steers_attention)
            candidates_offer(candidates, (Offer){.name = row->name, .closed = true});
}

/* The page of a command that takes a setting may be that of one setting: help set mask. */
static void offer_pages(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    if (context->arguments == 0) {
        offer_settings(false, candidates);
        candidates_offer_words(candidates, context->command->words, NULL, NULL);
        offer_commands(place, candidates);
        if (candidates->word.length > 0) offer_functions(place, false, candidates);
    } else if (context->arguments == 1) {
        Span before = context->before;
        const CommandSyntax *row = command_find(place->session->syntax, place->text + before.begin,
                                                before.end - before.begin);
        if (row && row->sub) offer_settings(row->takes == TAKES_STEERING, candidates);
    }
}

/* ---- all arguments ---- */

void offer_arguments(const Place *place, Candidates *candidates) {
    const Context *context = &place->context;
    const CommandSyntax *command = context->command, *picked = context->picked;
    if (command_takes_file(place)) {
        offer_files(place, (Span){0, 0}, true, candidates);
        return;
    }
    switch (command->takes) {
    case TAKES_PAGES: offer_pages(place, candidates); return;
    case TAKES_MODELS: offer_model_arguments(place, candidates); return;
    case TAKES_LESSONS: offer_lessons(place, candidates); return;
    case TAKES_SNAPSHOTS: offer_snapshots(place, candidates); break;
    default: break;
    }
    if (place_is_behind(place, "on") && command_has_word(command, "on", 2)) {
        offer_tasks(place, candidates);
        return;
    }
    if (command->sub && context->arguments == 0) {
        offer_settings(command->takes == TAKES_STEERING, candidates);
        if (command->takes != TAKES_VALUES) return;
    } else if (command->sub) {
        /* `unset NAME` and `show NAME` end with the name of the setting. */
        const CommandDef *row = command_row(place);
        size_t length = strlen(row->usage);
        if (length >= 4 && strcmp(row->usage + length - 4, "NAME") == 0) return;
    }
    offer_tokens(place, candidates);
    candidates_offer_words(candidates, command->words, word_may_stand, place);
    candidates_offer_words(candidates, command->options, word_may_stand, place);
    const char *words = picked ? picked->words : NULL;
    candidates_offer_words(candidates, words, word_may_stand, place);

    /* Behind a whole expression come only the words that continue it, and so behind a word for what
     * is drawn. */
    bool expression = picked ? picked->expression : command->expression;
    bool whole = context->behind_value && context->arguments > (picked ? 1 : 0) &&
                 !place_is_behind(place, joiners) && !(words && place_is_behind(place, words));
    if (place_is_behind(place, "as") || (expression && whole)) return;
    const SettingDef *setting = picked ? setting_find(picked->name) : NULL;
    if (expression || command->takes == TAKES_VALUES) offer_values(place, candidates);
    else if (command->takes == TAKES_ARRAYS || (setting && setting->steers_attention))
        offer_variables(place, true, candidates);
}
