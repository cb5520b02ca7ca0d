/* Proposes what to type instead, for those who did not write set NAME VALUE. */
#include "lang/remedy.h"
#include "lang/token.h"
#include "session/settings/settings.h"

#include <stdio.h>
#include <string.h>

/* ---- pieces of what was typed ---- */

typedef struct Piece {
    const char *text;
    int length;
} Piece;

/* The text from one argument on to the end of the command; empty when there is none. */
static Piece rest_from(const CommandCall *call, int index) {
    if (index >= call->node->command.count) return (Piece){"", 0};
    const CommandArgument *last = &call->node->command.arguments[call->node->command.count - 1];
    size_t begin = call->node->command.arguments[index].span.begin, length = last->span.end - begin;
    return (Piece){call->frame->chunk->text + begin, length > 160 ? 160 : (int)length};
}

/* ---- settings under other names ---- */

/* True if it is one of the own words of the setting's values. */
static bool takes_word(const SettingDef *setting, const char *word) {
    CommandSyntax row = {.words = setting_words(setting)};
    return command_has_word(&row, word, strlen(word));
}

/* The one setting that has the word among its values; those that steer attention come first. NULL:
 * none, or several. */
static const SettingDef *setting_with_word(const char *word) {
    const SettingDef *found = NULL;
    for (const SettingDef *row = setting_table; row->name; row++) {
        if (!takes_word(row, word) || (found && found->steers_attention && !row->steers_attention))
            continue;
        if (found) return NULL;
        found = row;
    }
    return found;
}

bool remedy_unknown_setting(const CommandCall *call, const char *name, Error *err) {
    static const char switches[] = "true True on yes", off[] = "false False off no none None";
    const char *command = call->node->command.name, *names[SETTING_NAMES_MAX];
    const char *behind = command_argument_name(call, call->next);
    Piece rest = rest_from(call, call->next);
    if (behind && words_contain(switches, behind, strlen(behind)))
        rest = (Piece){"", 0}; /* set causal on: the word says it all */
    if (behind && strcmp(behind, "to") == 0) rest = rest_from(call, call->next + 1);
    const char *space = rest.length ? " " : "";
    bool set = strcmp(command, "set") == 0;

    const SettingDef *setting = setting_with_word(name);
    if (setting && set && behind && words_contain(off, behind, strlen(behind)))
        return takes_word(setting, "none") &&
               error_hint(err, "write set %s %s", setting->name, "none");
    if (setting && set)
        return error_hint(err, "write set %s %s%s%.*s", setting->name, name, space, rest.length,
                          rest.text);
    const char *here = foreign_word(FOREIGN_KEYWORDS, name);
    if (here && setting_find(here))
        return error_hint(err, "write %s %s%s%.*s", command, here, space, rest.length, rest.text);
    if (strcmp(name, "all") == 0) return error_hint(err, "reset puts all of them back");
    setting_names(names);
    const char *near = nearest_word(name, names);
    if (near && rest.length)
        return error_hint(err, "did you mean: %s %s %.*s", command, near, rest.length, rest.text);
    if (near) return error_hint(err, "did you mean %s?", near);
    LocalText line = TEXT_EMPTY; /* set scores 1 1 0 would not be made one so */
    text_format(&line, "%s = %.*s", name, rest.length, rest.text);
    if (rest.length && set && interp_try(call->interp, line.data, false, NULL, NULL) != TRIAL_FAILS)
        return error_hint(err, "%s makes a variable; show lists the settings", line.data);
    return error_hint(err, "show lists the settings");
}

bool remedy_setting_argument(const CommandCall *call, Error *err) {
    const char *name = command_argument_name(call, call->next);
    const SettingDef *setting = name ? setting_find(name) : NULL,
                     *owner = name && !words_contain("and from against", name, strlen(name))
                                  ? setting_with_word(name)
                                  : NULL;
    Piece rest = rest_from(call, call->next);
    if (setting)
        return error_hint(err, "settings are changed before: set %.*s", rest.length, rest.text);
    for (int i = call->next + 1; owner && i < call->node->command.count; i++) {
        const Node *value = call->node->command.arguments[i].value;
        if (value && value->kind == NODE_NAME && value->name.symbol->value.kind != VALUE_UNSET)
            return error_hint(err, "settings are changed before: help %s says how",
                              owner->name); /* attend causal Q */
    }
    if (owner)
        return error_hint(err, "settings are changed before: set %s %.*s", owner->name, rest.length,
                          rest.text);
    return false;
}

/* ---- values that were not taken ---- */

/* window(4) was typed for window 4. */
static bool called_word(const CommandCall *call, const SettingDef *setting, Error *err) {
    for (int i = 1; i < call->node->command.count; i++) {
        const Node *value = call->node->command.arguments[i].value;
        if (!value || value->kind != NODE_CALL || value->call.callee->kind != NODE_NAME ||
            value->call.count != 1)
            continue;
        const char *word = value->call.callee->name.symbol->name;
        if (!takes_word(setting, word)) continue;
        Span span = value->call.arguments[0].value->span;
        error_hint(err, "write set %s %s %.*s", setting->name, word, (int)(span.end - span.begin),
                   call->frame->chunk->text + span.begin);
        return true;
    }
    return false;
}

/* Explains that more follows what was taken: another setting, or another word of this one. */
static bool further_value(const CommandCall *call, const SettingDef *setting, Error *err) {
    const char *name = command_argument_name(call, call->next);
    if (call->next < 2 || !name) return false;
    Piece taken = rest_from(call, 0), rest = rest_from(call, call->next);
    int length = (int)(rest.text - taken.text);
    while (length > 0 && strchr(" ,", taken.text[length - 1])) length--;
    const char *joint = " and ";
    if (setting_find(name)) {
        if ((size_t)rest.length == strlen(name)) return false; /* set mask causal mask */
        joint = "; set ";
    } else if (!takes_word(setting, "and") || !takes_word(setting, name) ||
               strcmp(name, "and") == 0 ||
               ((size_t)rest.length == strlen(name) && strcmp(name, "causal") != 0)) {
        return false; /* set mask window 3 padding lacks its number */
    }
    error_hint(err, "write set %.*s%s%.*s", length, taken.text, joint, rest.length, rest.text);
    return true;
}

bool remedy_setting_value(const CommandCall *call, const SettingDef *setting, Error *err) {
    const char *name = command_argument_name(call, 1);
    Piece value = rest_from(call, 1), rest = rest_from(call, 2);
    size_t length = (size_t)value.length;
    if (name && strcmp(name, "to") == 0 && rest.length) {
        LocalText line = TEXT_EMPTY;
        text_format(&line, "set %s %.*s", setting->name, rest.length, rest.text);
        if (propose(call->interp, err, "write ", line.data)) return false;
    }
    if (setting->kind == SETTING_TOKENS && name && !memchr(value.text, '"', length))
        return error_hint(err, "write set tokens \"%.*s\"", value.length, value.text);

    const char *comma = memchr(value.text, ',', length);
    if (comma && strspn(value.text, "0123456789,") >= length) { /* 0,5 for 0.5 */
        int whole = (int)(comma - value.text);
        return error_hint(err, "write set %s %.*s.%.*s", setting->name, whole, value.text,
                          value.length - whole - 1, comma + 1);
    }
    if (called_word(call, setting, err)) return false;
    if (err->kind == ERR_SYNTAX && further_value(call, setting, err)) return false;

    char near[sizeof err->hint];
    snprintf(near, sizeof near, "%s", err->hint);
    bool unknown = err->kind == ERR_NAME && name;
    if (!*near || (unknown && (foreign_word(FOREIGN_NAMES, name) || name_is_chinese(name))))
        error_hint(err, "set %s takes %s", setting->name, setting_values(setting));
    else if (unknown && setting_takes_expression(setting)) /* set temperature hot: no name at all */
        error_hint(err, "%.120s Set %s takes %s", near, setting->name, setting_values(setting));
    return false;
}

/* ---- variables that look like settings ---- */

static bool is_new(const Journal *journal, const Symbol *symbol) {
    for (size_t i = 0; i < journal->count; i++)
        if (journal->changes[i].symbol == symbol)
            return journal->changes[i].value.kind == VALUE_UNSET;
    return false;
}

void note_setting_assigned(const Interp *interp, const Chunk *chunk, const Entry *entry) {
    if (!interp->host->interactive) return;
    for (int i = 0; i < entry->count; i++) {
        const Node *statement = chunk->statements.items[entry->first + i];
        if (statement->kind != NODE_ASSIGN || statement->quiet) continue;
        const Node *target = statement->assign.targets.items[0];
        if (target->kind != NODE_NAME) continue;
        const Symbol *symbol = target->name.symbol;
        LocalText meant = TEXT_EMPTY; /* 温度 = 2, 设置温度 = 2 */
        if (!foreign_chinese(&meant, symbol->name, symbol->length))
            text_string(&meant, symbol->name);
        const char *name = meant.data + (strncmp(meant.data, "set ", 4) == 0 ? 4 : 0);
        const SettingDef *setting = setting_find(name);
        ValueKind kind = symbol->value.kind;
        if (setting && setting->steers_attention && (kind == VALUE_NUMBER || kind == VALUE_BOOL) &&
            is_new(&interp->journal, symbol))
            host_note(interp->host,
                      "(%s is a variable now; the setting is changed by: set %s VALUE)\n",
                      symbol->name, setting->name);
    }
}
