/* The reference: the same tables as the pages, in Markdown. */
#include "shell/help/help.h"
#include "shell/help/help_topics.h"

#include <string.h>

static void write_code(Text *out, const char *example) {
    text_string(out, "```attn\n");
    text_string(out, example);
    text_string(out, "\n```\n\n");
}

static void write_statements(Text *out) {
    text_string(out, "## Language\n\n");
    for (const HelpTopic *row = help_topics; row->name; row++) {
        if (!row->example) continue;
        text_format(out, "### %s\n\n`%s`\n\n%s\n\n", row->name, row->usage, row->summary);
        write_code(out, row->example);
    }
}

static void write_commands(const Session *session, Text *out) {
    text_string(out, "## Commands\n\n");
    for (size_t t = 0; session->commands[t]; t++)
        for (const CommandDef *row = session->commands[t]; row->syntax.name; row++) {
            text_format(out, "### %s\n\n`%s`\n\n%s\n\n", row->syntax.name, row->usage,
                        row->summary);
            write_code(out, row->example);
        }
}

static void write_settings(Text *out) {
    text_string(out, "## Settings\n\n");
    for (const SettingDef *row = setting_table; row->name; row++) {
        text_format(out, "### %s\n\n%s\n\nValues: %s.\n\n", row->name, row->summary, row->values);
        write_code(out, row->example);
    }
}

static void write_function(const BuiltinDef *row, Text *out) {
    text_format(out, "### %s%s%s\n\n`", row->receiver ? row->receiver : "",
                row->receiver ? "." : "", row->name);
    if (row->call || row->op) signature_write(out, row);
    else text_string(out, row->name);
    text_format(out, "`\n\n%s\n\n", row->summary);
    if (row->shapes) text_format(out, "Shapes: %s.\n\n", row->shapes);
    if (row->formula) text_format(out, "Formula: %s\n\n", row->formula);
    write_code(out, row->example);
}

void help_write_reference(const Session *session, Text *out) {
    text_string(out, "# attn: reference\n\n");
    write_commands(session, out);
    write_settings(out);
    write_statements(out);
    const char *group = "";
    for (size_t t = 0; session->interp.tables[t]; t++)
        for (const BuiltinDef *row = session->interp.tables[t]; row->name; row++) {
            if (strcmp(group, row->group) != 0)
                text_format(out, "## Functions: %s\n\n", group = row->group);
            write_function(row, out);
        }
}
