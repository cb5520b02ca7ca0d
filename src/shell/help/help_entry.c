#include "shell/help/help_entry.h"

#include "base/language.h"
#include "view/files/picture_format.h"

#include <string.h>

/* The columns that all four kinds of rows have. */
#define COMMON(ROW) .summary = (ROW)->summary, .example = (ROW)->example, .see = (ROW)->see

bool help_next(HelpWalk *walk, HelpEntry *entry) {
    enum { COMMANDS, TOPICS, SETTINGS, FUNCTIONS, PARTS };
    const CommandDef *const *commands = walk->session->commands, *command;
    const BuiltinDef *const *functions = walk->session->interp.tables, *function;
    const HelpTopic *topic;
    const SettingDef *setting;
    *entry = (HelpEntry){.name = NULL};
    while (walk->part < PARTS) {
        size_t row = walk->row++;
        bool more_tables = false;
        switch (walk->part) {
        case COMMANDS:
            more_tables = commands[walk->table] != NULL;
            if (!more_tables) break;
            command = &commands[walk->table][row];
            *entry = (HelpEntry){COMMON(command), .command = command, .name = command->syntax.name,
                                 .usage = command->usage, .words = command->syntax.words};
            break;
        case TOPICS:
            topic = &help_topics[row];
            *entry = (HelpEntry){COMMON(topic), .topic = topic, .name = topic->name,
                                 .usage = topic->usage, .words = topic->words};
            break;
        case SETTINGS:
            setting = &setting_table[row];
            *entry =
                (HelpEntry){COMMON(setting), .setting = setting, .name = setting->name,
                            .values = setting_values(setting), .words = setting_words(setting)};
            break;
        default:
            more_tables = functions[walk->table] != NULL;
            if (!more_tables) break;
            function = &functions[walk->table][row];
            *entry = (HelpEntry){COMMON(function),
                                 .function = function,
                                 .name = function->name,
                                 .shapes = function->shapes,
                                 .formula = function->formula,
                                 .words = function->parameters};
        }
        if (entry->name) return true;
        walk->row = 0; /* the table has ended: to the next one, or to the next part */
        walk->table = more_tables ? walk->table + 1 : 0;
        if (!more_tables) walk->part++;
    }
    return false;
}

const char *help_before(const HelpEntry *entry) {
    if (entry->setting) return "set ";
    if (entry->topic) return "help ";
    if (!entry->function || !entry->function->receiver) return "";
    static const char *const receivers[][2] = {
        {"list", "list."},     {"record", "record."},       {"set", "set."},
        {"Generator", "rng."}, {"generator", "generator."}, {"vocabulary", "vocab."}};
    for (size_t i = 0; i < sizeof receivers / sizeof *receivers; i++)
        if (strcmp(entry->function->receiver, receivers[i][0]) == 0) return receivers[i][1];
    return "string.";
}

void help_write_signature(Text *text, const HelpEntry *entry) {
    const BuiltinDef *function = entry->function;
    if (function && (function->call || function->op)) signature_write(text, function);
    else if (function) text_string(text, function->name);
    else if (entry->setting) text_format(text, "set %s VALUE", entry->name);
    else if (entry->usage) text_string(text, entry->usage);
}

void help_write_summary(Text *text, const HelpEntry *entry) {
    static const char formats[] = "{formats}";
    const char *at = strstr(entry->summary, formats);
    text_bytes(text, entry->summary, at ? (size_t)(at - entry->summary) : strlen(entry->summary));
    if (!at) return;
    picture_formats_explain(text);
    text_string(text, at + strlen(formats));
}

bool help_is_name(const Session *session, const char *word) {
    const Symbol *symbol = interp_find(&session->interp, word);
    return session_command(session, word) || setting_find(word) ||
           (symbol && (symbol->builtin || symbol->value.kind != VALUE_UNSET));
}
