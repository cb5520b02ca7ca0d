#include "shell/help/help_entry.h"

#include "view/picture_format.h"

#include <string.h>

static HelpEntry entry_of_command(const CommandDef *row) {
    return (HelpEntry){.command = row,
                       .name = row->syntax.name,
                       .summary = row->summary,
                       .example = row->example,
                       .see = row->see,
                       .usage = row->usage,
                       .words = row->syntax.words};
}

static HelpEntry entry_of_setting(const SettingDef *row) {
    return (HelpEntry){.setting = row,
                       .name = row->name,
                       .summary = row->summary,
                       .example = row->example,
                       .see = row->see,
                       .values = setting_values(row),
                       .words = setting_words(row)};
}

static HelpEntry entry_of_topic(const HelpTopic *row) {
    return (HelpEntry){.topic = row,
                       .name = row->name,
                       .summary = row->summary,
                       .example = row->example,
                       .see = row->see,
                       .usage = row->usage,
                       .words = row->words};
}

static HelpEntry entry_of_function(const BuiltinDef *row) {
    return (HelpEntry){.function = row,
                       .name = row->name,
                       .summary = row->summary,
                       .example = row->example,
                       .see = row->see,
                       .shapes = row->shapes,
                       .formula = row->formula,
                       .words = row->parameters};
}

bool help_next(HelpWalk *walk, HelpEntry *entry) {
    const CommandDef *const *commands = walk->session->commands;
    const BuiltinDef *const *functions = walk->session->interp.tables;
    *entry = (HelpEntry){.name = NULL};
    while (walk->part < 4) {
        size_t row = walk->row++;
        bool more_tables = false;
        switch (walk->part) {
        case 0:
            more_tables = commands[walk->table] != NULL;
            if (more_tables) *entry = entry_of_command(&commands[walk->table][row]);
            break;
        case 1: *entry = entry_of_topic(&help_topics[row]); break;
        case 2: *entry = entry_of_setting(&setting_table[row]); break;
        default:
            more_tables = functions[walk->table] != NULL;
            if (more_tables) *entry = entry_of_function(&functions[walk->table][row]);
        }
        if (entry->name) return true;
        walk->row = 0; /* the table ended: to the next one, or to the next part */
        walk->table = more_tables ? walk->table + 1 : 0;
        if (!more_tables) walk->part++;
    }
    return false;
}

const char *help_before(const HelpEntry *entry) {
    if (entry->setting) return "set ";
    if (entry->topic) return "help ";
    if (!entry->function || !entry->function->receiver) return "";
    return strcmp(entry->function->receiver, "list") == 0 ? "list." : "string.";
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

const char *help_nearest(const Session *session, const char *word) {
    enum { OFFERED_MAX = 80 };
    const char *names[OFFERED_MAX]; /* the interpreter knows the other names */
    size_t count = 0;
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry) && count < OFFERED_MAX - 1;)
        if (entry.setting || entry.topic) names[count++] = entry.name;
    names[count] = NULL;
    return interp_nearest(&session->interp, word, names);
}

bool help_is_name(const Session *session, const char *word) {
    const Symbol *symbol = interp_find(&session->interp, word);
    return session_command(session, word) || setting_find(word) ||
           (symbol && (symbol->builtin || symbol->value.kind != VALUE_UNSET));
}
