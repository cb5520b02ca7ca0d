#include "shell/help.h"

#include "base/utf8.h"

#include <string.h>

static const char overview[] =
    "Type numbers, see attention:\n"
    "\n"
    "  Q = randn(3, 4); K = Q; V = eye(3)     define the inputs\n"
    "  attend                                 weights, entropy, output\n"
    "  set temperature 0.25                   turn a knob, see what it does\n"
    "  set mask causal                        also: scale, position, heads, tokens\n"
    "  plot weights                           a picture; to \"w.png\" makes a file\n"
    "  undo                                   take the last step back\n"
    "\n"
    "Expressions are Python's with NumPy's meaning: softmax(Q @ K.T / sqrt(4))\n"
    "\n"
    "  help NAME     a function, command or setting, for example: help softmax\n"
    "  show          all settings          who    your variables\n"
    "  exit          leave (or Ctrl-D)\n"
    "\n";

/* ---- one page ---- */

static void write_indented(Text *text, const char *lines) {
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        text_string(text, "    ");
        text_bytes(text, line, length);
        text_char(text, '\n');
        line += length + (line[length] == '\n');
    }
}

/* Nothing when there are no words. */
static void write_line(Text *text, const char *title, const char *words, size_t width) {
    Text line;
    if (!words || !*words) return;
    text_init(&line);
    text_format(&line, "%s%s", title, words);
    utf8_wrap(text, line.data, width);
    if (line.failed) text->failed = true;
    text_release(&line);
}

static void write_see(Text *text, const char *see, size_t width) {
    write_line(text, "see also: ", see, width);
}

static void write_signature(Text *text, const BuiltinDef *row, size_t width) {
    Text signature;
    text_init(&signature);
    if (row->receiver) text_format(&signature, "%s.", row->receiver);
    if (row->call || row->op) signature_write(&signature, row);
    else text_string(&signature, row->name);
    write_line(text, "", signature.data, width);
    text_release(&signature);
}

static void write_builtin(Text *text, const BuiltinDef *row, size_t width) {
    write_signature(text, row, width);
    utf8_wrap(text, row->summary, width);
    write_line(text, "shapes: ", row->shapes, width);
    write_line(text, "formula: ", row->formula, width);
    write_indented(text, row->example);
    write_see(text, row->see, width);
}

static void write_command(Text *text, const CommandDef *row, size_t width) {
    text_format(text, "%s\n", row->usage);
    utf8_wrap(text, row->summary, width);
    write_indented(text, row->example);
    write_see(text, row->see, width);
}

static void write_setting(Text *text, const SettingDef *row, const Settings *now, size_t width) {
    text_format(text, "set %s VALUE\n", row->name);
    utf8_wrap(text, row->summary, width);
    write_line(text, "values: ", row->values, width);
    text_string(text, "now: ");
    row->write(now, text);
    text_char(text, '\n');
    write_indented(text, row->example);
    write_see(text, row->see, width);
}

static size_t write_variable(const Session *session, const char *name, Text *text) {
    const Symbol *symbol = interp_find(&session->interp, name);
    if (!symbol || symbol->value.kind == VALUE_UNSET) return 0;
    text_format(text, "%s is a variable: %s\n", name, value_words(&symbol->value));
    return 1;
}

/* All pages of a name: a word may be a command and a function (entropy). */
static size_t write_pages(const Session *session, const char *name, Text *text, size_t width) {
    size_t found = 0;
    const CommandDef *command = session_command(session, name);
    const SettingDef *setting = setting_find(name);
    if (command) found++, write_command(text, command, width);
    if (setting) text_string(text, found++ ? "\n" : ""), write_setting(text, setting, &session->settings, width);
    for (size_t t = 0; session->interp.tables[t]; t++)
        for (const BuiltinDef *row = session->interp.tables[t]; row->name; row++) {
            if (strcmp(row->name, name) != 0) continue;
            text_string(text, found++ ? "\n" : "");
            write_builtin(text, row, width);
        }
    return found ? found : write_variable(session, name, text);
}

/* ---- the command ---- */

static bool no_page(Session *session, CommandCall *call, const char *name, Error *err) {
    const char *words[64];
    size_t count = 0;
    for (const SettingDef *row = setting_table; row->name && count < 40; row++) words[count++] = row->name;
    for (size_t t = 0; session->commands[t]; t++)
        for (const CommandDef *row = session->commands[t]; row->syntax.name && count < 63; row++) words[count++] = row->syntax.name;
    words[count] = NULL;
    const char *near = interp_nearest(&session->interp, name, words);
    error_set(err, ERR_NAME, "there is no page about %s", name);
    if (near) error_hint(err, "did you mean %s?", near);
    else error_hint(err, "help alone gives an overview");
    return command_error_at(call, call->next - 1, err);
}

static bool help(Session *session, CommandCall *call, Error *err) {
    Host *host = session->interp.host;
    if (command_at_end(call)) return host_write(host, overview, sizeof overview - 1, err);
    const char *name = command_take_name(call);
    const CommandDef *command = name ? session_command(session, name) : NULL;
    if (command && command->takes_setting && !command_at_end(call)) name = command_take_name(call); /* help set temperature */
    Value given = VALUE_MISSING;
    if (!name) {
        if (!command_string(call, "the name of a function, command or setting", &given, err)) return false;
        name = given.string->data;
    }
    Text text;
    text_init(&text);
    size_t width = host->columns > 20 ? (size_t)(host->columns < 100 ? host->columns : 100) : 20;
    bool ok = command_finish(call, err) && (write_pages(session, name, &text, width) || no_page(session, call, name, err)) &&
              text_ok(&text, err) && host_write(host, text.data, text.length, err);
    text_release(&text);
    value_release(&given);
    return ok;
}

const CommandDef help_commands[] = {
    {{.name = "help", .words = "", .takes = TAKES_PAGES}, help, false, "help   ·   help NAME   ·   NAME?",
     "An overview, or the page of a function, command or setting.", "help softmax", "show who"},
    {.syntax = {.name = NULL}},
};

bool help_is_name(const Session *session, const char *word) {
    const Symbol *symbol = interp_find(&session->interp, word);
    return session_command(session, word) || setting_find(word) || (symbol && (symbol->builtin || symbol->value.kind != VALUE_UNSET));
}

/* ---- the reference ---- */

static void write_code(Text *out, const char *example) {
    text_string(out, "```attn\n");
    text_string(out, example);
    text_string(out, "\n```\n\n");
}

void help_write_reference(const Session *session, Text *out) {
    text_string(out, "# attn: reference\n\n## Commands\n\n");
    for (size_t t = 0; session->commands[t]; t++)
        for (const CommandDef *row = session->commands[t]; row->syntax.name; row++) {
            text_format(out, "### %s\n\n`%s`\n\n%s\n\n", row->syntax.name, row->usage, row->summary);
            write_code(out, row->example);
        }
    text_string(out, "## Settings\n\n");
    for (const SettingDef *row = setting_table; row->name; row++) {
        text_format(out, "### %s\n\n%s\n\nValues: %s.\n\n", row->name, row->summary, row->values);
        write_code(out, row->example);
    }
    const char *group = "";
    for (size_t t = 0; session->interp.tables[t]; t++)
        for (const BuiltinDef *row = session->interp.tables[t]; row->name; row++) {
            if (strcmp(group, row->group) != 0) text_format(out, "## Functions: %s\n\n", group = row->group);
            text_format(out, "### %s%s%s\n\n`", row->receiver ? row->receiver : "", row->receiver ? "." : "", row->name);
            if (row->call || row->op) signature_write(out, row);
            else text_string(out, row->name);
            text_format(out, "`\n\n%s\n\n", row->summary);
            if (row->shapes) text_format(out, "Shapes: %s.\n\n", row->shapes);
            if (row->formula) text_format(out, "Formula: %s\n\n", row->formula);
            write_code(out, row->example);
        }
}
