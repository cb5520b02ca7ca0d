#include "session/settings/setting_remedy.h"

#include "lang/foreign.h"

#include <stdio.h>
#include <string.h>

/* ---- pieces of what was typed ---- */

typedef struct Piece {
    const char *text;
    int length;
} Piece;

/* From one argument on to the end of the command; empty when there is none. */
static Piece rest_from(const CommandCall *call, int index) {
    if (index >= call->node->command.count) return (Piece){"", 0};
    const CommandArgument *last = &call->node->command.arguments[call->node->command.count - 1];
    size_t begin = call->node->command.arguments[index].span.begin, length = last->span.end - begin;
    return (Piece){call->frame->chunk->text + begin, length > 160 ? 160 : (int)length};
}

/* The plain name or own word that the argument is; NULL: another thing. */
static const char *argument_name(const CommandCall *call, int index) {
    if (index < 0 || index >= call->node->command.count) return NULL;
    const CommandArgument *argument = &call->node->command.arguments[index];
    if (argument->kind == ARGUMENT_WORD) return argument->word;
    bool name = argument->value->kind == NODE_NAME && !argument->value->parenthesised;
    return name ? argument->value->name.symbol->name : NULL;
}

static bool argument_is(const CommandCall *call, int index, const char *word) {
    const char *name = argument_name(call, index);
    return name && strcmp(name, word) == 0;
}

/* ---- settings under other names ---- */

/* The one setting that has the word among its values; those that steer attention come first. NULL:
 * none, or several. */
static const SettingDef *setting_with_word(const char *word) {
    const SettingDef *found = NULL;
    for (const SettingDef *row = setting_table; row->name; row++) {
        CommandSyntax words = {.words = setting_words(row)};
        if (!command_has_word(&words, word, strlen(word)) ||
            (found && found->steers_attention && !row->steers_attention))
            continue;
        if (found) return NULL;
        found = row;
    }
    return found;
}

/* set causal on: the word says it all. */
static bool is_switch(const CommandCall *call, int index) {
    static const char *const words[] = {"true", "false", "True", "False", "on", "off", "yes"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (argument_is(call, index, words[i])) return true;
    return false;
}

bool remedy_unknown_setting(const CommandCall *call, const char *name, Error *err) {
    const char *command = call->node->command.name, *here = foreign_keyword(name),
               *names[SETTING_NAMES_MAX];
    const SettingDef *setting = setting_with_word(name);
    Piece rest = is_switch(call, call->next) ? (Piece){"", 0} : rest_from(call, call->next);
    if (setting && strcmp(command, "set") == 0)
        return error_hint(err, "write set %s %s%s%.*s", setting->name, name, rest.length ? " " : "",
                          rest.length, rest.text);
    if (here && setting_find(here))
        return error_hint(err, "write %s %s%s%.*s", command, here, rest.length ? " " : "",
                          rest.length, rest.text);
    if (argument_is(call, call->next - 1, "all"))
        return error_hint(err, "reset puts all of them back");
    setting_names(names);
    const char *near = nearest_word(name, names);
    if (near && rest.length)
        return error_hint(err, "did you mean: %s %s %.*s", command, near, rest.length, rest.text);
    if (near) return error_hint(err, "did you mean %s?", near);
    if (rest.length && strcmp(command, "set") == 0)
        return error_hint(err, "%s = %.*s makes a variable; show lists the settings", name,
                          rest.length, rest.text);
    return error_hint(err, "show lists the settings");
}

bool remedy_setting_argument(const CommandCall *call, Error *err) {
    const char *name = argument_name(call, call->next);
    const SettingDef *setting = name ? setting_find(name) : NULL,
                     *owner = name ? setting_with_word(name) : NULL;
    Piece rest = rest_from(call, call->next);
    if (setting)
        return error_hint(err, "settings are changed before: set %.*s", rest.length, rest.text);
    if (owner)
        return error_hint(err, "settings are changed before: set %s %.*s", owner->name, rest.length,
                          rest.text);
    return false;
}

/* ---- values that were not taken ---- */

/* A sentence without its quotes. */
static bool unquoted_sentence(const CommandCall *call, const SettingDef *setting, Error *err) {
    Piece rest = rest_from(call, 1);
    bool sentence = setting->kind == SETTING_TOKENS && argument_name(call, 1) &&
                    !memchr(rest.text, '"', (size_t)rest.length);
    if (sentence) error_hint(err, "write set tokens \"%.*s\"", rest.length, rest.text);
    return sentence;
}

/* 0,5 where a comma stands before decimals. */
static bool decimal_comma(const CommandCall *call, const SettingDef *setting, Error *err) {
    Piece rest = rest_from(call, 1);
    const char *comma = memchr(rest.text, ',', (size_t)rest.length);
    bool digits = comma && strspn(rest.text, "0123456789,") >= (size_t)rest.length;
    if (digits)
        error_hint(err, "write set %s %.*s.%.*s", setting->name, (int)(comma - rest.text),
                   rest.text, rest.length - (int)(comma - rest.text) - 1, comma + 1);
    return digits;
}

/* window(4) for window 4. */
static bool called_word(const CommandCall *call, const SettingDef *setting, Error *err) {
    for (int i = 1; i < call->node->command.count; i++) {
        const CommandArgument *argument = &call->node->command.arguments[i];
        const Node *value = argument->kind == ARGUMENT_VALUE ? argument->value : NULL;
        if (!value || value->kind != NODE_CALL || value->call.callee->kind != NODE_NAME ||
            value->call.count != 1)
            continue;
        const char *word = value->call.callee->name.symbol->name;
        CommandSyntax row = {.words = setting_words(setting)};
        if (!command_has_word(&row, word, strlen(word))) continue;
        Span span = value->call.arguments[0].value->span;
        error_hint(err, "write set %s %s %.*s", setting->name, word, (int)(span.end - span.begin),
                   call->frame->chunk->text + span.begin);
        return true;
    }
    return false;
}

/* Behind what was taken stands more. */
static bool further_value(const CommandCall *call, const SettingDef *setting, Error *err) {
    const char *name = argument_name(call, call->next);
    if (call->next < 2 || !name) return false;
    Piece taken = rest_from(call, 0), rest = rest_from(call, call->next);
    int length = (int)(rest.text - taken.text);
    while (length > 0 && strchr(" ,", taken.text[length - 1])) length--;
    CommandSyntax row = {.words = setting_words(setting)};
    if (setting_find(name))
        error_hint(err, "write set %.*s; set %.*s", length, taken.text, rest.length, rest.text);
    else if (command_has_word(&row, "and", 3) && command_has_word(&row, name, strlen(name)))
        error_hint(err, "write set %.*s and %.*s", length, taken.text, rest.length, rest.text);
    else return false;
    return true;
}

bool remedy_setting_value(const CommandCall *call, const SettingDef *setting, Error *err) {
    const char *name = argument_name(call, 1);
    Piece rest = rest_from(call, 2);
    if (name && strcmp(name, "to") == 0 && rest.length)
        return error_hint(err, "write set %s %.*s", setting->name, rest.length, rest.text);
    if (unquoted_sentence(call, setting, err) || decimal_comma(call, setting, err) ||
        called_word(call, setting, err))
        return false;
    if (err->kind == ERR_SYNTAX && further_value(call, setting, err)) return false;
    bool foreign = err->kind == ERR_NAME && name && foreign_name(name);
    bool unknown =
        err->kind == ERR_NAME && name &&
        setting_takes_expression(setting); /* set temperature hot: it may be no name at all */
    char near[sizeof err->hint];
    snprintf(near, sizeof near, "%s", err->hint);
    if (foreign || !*near)
        error_hint(err, "set %s takes %s", setting->name, setting_values(setting));
    else if (unknown)
        error_hint(err, "%.120s Set %s takes %s", near, setting->name, setting_values(setting));
    return false;
}

/* ---- variables that look like settings ---- */

/* The plain name that the statement assigns to; NULL. */
static const Symbol *assigned(const Node *statement) {
    if (statement->kind != NODE_ASSIGN || statement->quiet) return NULL;
    const Node *target = statement->assign.targets.items[0];
    return target->kind == NODE_NAME ? target->name.symbol : NULL;
}

static bool is_new(const Journal *journal, const Symbol *symbol) {
    for (size_t i = 0; i < journal->count; i++)
        if (journal->changes[i].symbol == symbol)
            return journal->changes[i].value.kind == VALUE_UNSET;
    return false;
}

void note_setting_assigned(Session *session, const Chunk *chunk, const Entry *entry) {
    if (!session->interp.host->interactive) return;
    for (int i = 0; i < entry->count; i++) {
        const Symbol *symbol = assigned(chunk->statements.items[entry->first + i]);
        const SettingDef *setting = symbol ? setting_find(symbol->name) : NULL;
        bool plain = setting && setting->steers_attention &&
                     (symbol->value.kind == VALUE_NUMBER || symbol->value.kind == VALUE_BOOL);
        if (plain && is_new(&session->interp.journal, symbol))
            host_note(session->interp.host,
                      "(%s is a variable now; the setting is changed by: set %s VALUE)\n",
                      setting->name, setting->name);
    }
}
