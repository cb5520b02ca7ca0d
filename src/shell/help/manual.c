#include "shell/help/help.h"

#include "base/translate.h"
#include "base/utf8.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"
#include "library/library.h"
#include "shell/editor/editor.h"
#include "shell/explore/explore_screen.h"
#include "shell/help/help_entry.h"
#include "shell/options/options.h"
#include "shell/options/sandbox.h"
#include "shell/terminal/ascii.h"
#include "view/files/gnuplot.h"
#include "view/files/picture_format.h"

#include <string.h>

static const char version_number[] = ATTN_VERSION;

/* ---- roff ---- */

/* Writes words for roff: in English as ASCII, and so that it takes no line for a request. A line
 * may be broken before each character of Chinese. */
static void write_words(Text *out, const char *words, size_t length) {
    static const char special[] = "\\-'`^~\"";
    static const char *const escapes[] = {"\\e",   "\\-",   "\\(aq", "\\(ga",
                                          "\\(ha", "\\(ti", "\\(dq"};
    LocalText plain = TEXT_FOR(out);
    if (translate_language() == LANGUAGE_ENGLISH) ascii_write(&plain, words, length, false);
    else text_bytes(&plain, words, length);
    if (*plain.data == '.' || *plain.data == '\'') text_string(out, "\\&");
    for (const char *at = plain.data; *at; at++) {
        uint32_t code_point;
        utf8_next(at, plain.length - (size_t)(at - plain.data), &code_point);
        if (utf8_is_cjk(code_point)) text_string(out, "\\:");
        const char *found = strchr(special, *at);
        if (found) text_string(out, escapes[found - special]);
        else text_char(out, *at);
    }
    text_char(out, '\n');
}

static void write_section(Text *out, const char *name) { text_format(out, ".SH %s\n", tr(name)); }

static void write_paragraph(Text *out, const char *words) {
    words = tr(words);
    text_string(out, ".PP\n");
    write_words(out, words, strlen(words));
}

/* Writes what is typed, several forms one below the other, and then what it does. */
static void write_item(Text *out, const char *typed, const char *words) {
    static const char between[] = "   ·   ";
    const char *next = strstr(typed, between);
    text_string(out, ".TP\n.B ");
    for (; next; next = strstr(typed, between)) {
        write_words(out, typed, (size_t)(next - typed));
        text_string(out, ".TQ\n.B ");
        typed = next + sizeof between - 1;
    }
    write_words(out, typed, strlen(typed));
    write_words(out, words, strlen(words));
}

/* ---- from the tables ---- */

/* The lines of --help that are items, "  typed   what it does": those that begin with
 * dashes, or the others. */
static void write_usage(Text *out, bool dashes) {
    LocalText usage = TEXT_EMPTY;
    options_write_usage(&usage);
    for (const char *line = text_ok(&usage, NULL) ? usage.data : "", *end; *line;
         line = end + (*end == '\n')) {
        const char *typed = line + strspn(line, " ");
        end = line + strcspn(line, "\n");
        if (typed != line + 2 || typed >= end || (strncmp(typed, "--", 2) == 0) != dashes) continue;
        const char *gap = strstr(typed, "   ");
        if (!gap || gap > end) gap = end;
        const char *words = gap + strspn(gap, " ");
        text_string(out, ".TP\n.B ");
        write_words(out, typed, (size_t)(gap - typed));
        write_words(out, words, words < end ? (size_t)(end - words) : 0);
    }
}

static void write_entries(const Session *session, bool settings, Text *out) {
    LocalText typed = TEXT_FOR(out), words = TEXT_FOR(out);
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry);) {
        text_clear(&typed);
        text_clear(&words);
        help_write_summary(&words, &entry);
        if (entry.command && !settings) write_item(out, entry.usage, words.data);
        if (!entry.setting || !settings) continue;
        text_format(&typed, "set %s", entry.name);
        text_char(&words, ' ');
        text_say(&words, "Values: %s.", entry.values);
        write_item(out, typed.data, words.data);
    }
}

/* ---- the page ---- */

/* Section, name, and what it says. */
static const char *const rows[][3] = {
    {N_("FILES"), "$XDG_CONFIG_HOME/attn/init.attn",
     N_("Is run first at a prompt (~/.config where that is not set).")},
    {N_("FILES"), "$XDG_STATE_HOME/attn/history",
     N_("What was typed at prompts (~/.local/state where that is not set).")},
    {N_("ENVIRONMENT"), "ATTN_PAGER, PAGER",
     N_("The program that shows help that does not fit the screen at a prompt, started without a "
        "shell; less where neither is set, none where it is empty.")},
    {N_("ENVIRONMENT"), "NO_COLOR", N_("When not empty, there is no colour.")},
    {N_("ENVIRONMENT"), "ATTN_GNUPLOT", N_("The gnuplot that draws pictures in files.")},
    {N_("ENVIRONMENT"), "ATTN_KERNELS", N_("base: computes without the machine's wider vectors.")},
    {N_("EXIT STATUS"), "0", N_("All went well.")},
    {N_("EXIT STATUS"), "1", N_("An error in what was run, a failed assert included.")},
    {N_("EXIT STATUS"), "2", N_("Wrong usage.")},
    {N_("EXIT STATUS"), "130", N_("Interrupted.")},
    {N_("EXAMPLES"), "attn -c 'print(softmax([1, 2, 3]))'",
     N_("Runs a line and shows what it prints.")},
    {N_("EXAMPLES"), "attn --plots pictures show.attn",
     N_("Runs a script; its pictures are files in the folder pictures.")},
    {N_("EXAMPLES"), "attn lesson 1", N_("Begins the course.")},
    {N_("EXAMPLES"), "attn export notes.md -o notes.html",
     N_("Runs the cells of a document and makes a page of it, with their outputs.")},
    {N_("EXAMPLES"), "attn --safe stranger.attn",
     N_("Runs a script that may read its own folder, and nothing else.")},
    {N_("SEE ALSO"), "gnuplot(1), less(1), python3(1)",
     N_("The reference of all that can be typed: attn --reference. The course, shows and the "
        "README are installed in share/attn.")},
};

void manual_write(const Session *session, Text *out) {
    text_format(out, ".TH ATTN 1 \"\" \"attn %s\"\n", version_number);
    write_section(out, N_("NAME"));
    text_format(out, "attn \\- %s\n", tr("see what attention computes"));
    write_section(out, N_("SYNOPSIS"));
    text_string(out, ".B attn\n.RI [ option \" ...] [\" file \" [\" argument \" ...]]\n");
    write_section(out, N_("DESCRIPTION"));
    write_paragraph(out,
                    N_("An interactive explorer of attention. Queries, keys and values are typed "
                       "in; attn shows the weights, their entropy, the scores and the output, and "
                       "what temperature, scaling, masks and positions do to them. Expressions are "
                       "Python's with NumPy's meaning; commands begin with a word."));
    write_paragraph(out, N_("At the prompt, help gives an overview, help first a walk of one "
                            "minute, and help NAME the page of a function, command or setting."));
    write_usage(out, false);
    write_section(out, N_("OPTIONS"));
    write_usage(out, true);
    write_section(out, N_("COMMANDS"));
    write_entries(session, false, out);
    write_section(out, N_("SETTINGS"));
    write_entries(session, true, out);
    const char *section = "";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(section, rows[i][0]) != 0) write_section(out, section = rows[i][0]);
        write_item(out, rows[i][1], tr(rows[i][2]));
    }
}

/* ---- the reference ---- */

void reference_write(const Session *session, Text *out) {
    const char *section = "";
    LocalText summary = TEXT_FOR(out);
    text_say(out, "# attn: reference\n");
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry);) {
        const char *receiver = entry.function ? entry.function->receiver : NULL,
                   *part = N_("Commands");
        if (!entry.example) continue; /* a topic that only lists what is elsewhere */
        if (entry.topic) part = N_("Language");
        if (entry.setting) part = N_("Settings");
        if (entry.function) part = entry.function->group;
        if (strcmp(section, part) != 0) {
            const char *said = entry.function ? tr_among("functions", part) : tr(part);
            text_format(out, "\n## %s%s\n", entry.function ? tr("Functions: ") : "", said);
            section = part;
        }
        text_format(out, "\n### %s%s%s\n\n`", receiver ? receiver : "", receiver ? "." : "",
                    entry.name);
        help_write_signature(out, &entry);
        text_string(out, "`\n\n");
        text_clear(&summary);
        help_write_summary(&summary, &entry);
        tr_write(out, summary.data);
        text_char(out, '\n');
        if (entry.values) text_say(out, "\nValues: %s.\n", entry.values);
        if (entry.shapes) text_say(out, "\nShapes: %s.\n", entry.shapes);
        if (entry.formula) text_say(out, "\nFormula: %s\n", entry.formula);
        text_format(out, "\n```attn\n%s\n```\n", entry.example);
    }
}

/* ---- the version ---- */

void version_write(Text *text) {
    const char *vectors = kernels()->name, *readline = editor_readline();
    const char *regex = regex_version();
#ifdef __ARM_NEON
    vectors = "NEON"; /* every Arm machine with 64 bits has it, so that it is the base there */
#endif
    text_format(text, "attn %s\n", version_number);
    text_say(text, "kernels: %s\n", vectors);
    text_say(text, "threads: %d\n", threads_most());
    if (readline) text_say(text, "line editing: readline %s\n", readline);
    else text_string(text, tr("line editing: none (built without readline)\n"));
    text_format(text, "%s%s\n", tr("explore: "), explore_screen_version());
    if (regex) text_say(text, "regular expressions: PCRE2 %s\n", regex);
    else text_string(text, tr("regular expressions: none (built without PCRE2)\n"));
    const char *formats = picture_formats_list(FORMATS_DRAWN, "and").text;
    if (gnuplot_is_installed()) text_say(text, "pictures as %s: %s\n", formats, gnuplot_program());
    else text_say(text, "pictures as %s: %s is not installed\n", formats, gnuplot_program());
    text_say(text, "--safe is held by %s\n", sandbox_words());
    text_string(text, tr(readline ? N_("licence: GPL version 3 or later, as it is linked with "
                                       "readline; its own sources: MIT\n")
                                  : N_("licence: MIT\n")));
}
