#include "lang/token.h"
#include "base/translate.h"
#include "notebook/player.h"
#include "shell/help/help.h"
#include "shell/help/help_entry.h"
#include "shell/options/sandbox.h"

#include <string.h>

/* ---- lists of all there is ---- */

static void write_summaries(Page *page, const Session *session, bool settings) {
    LocalText summary = TEXT_FOR(page->text);
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry);) {
        if (settings ? !entry.setting : !entry.command) continue;
        text_clear(&summary);
        help_write_summary(&summary, &entry);
        page_cut_row(page, entry.name, summary.data, page_is_narrow(page) ? 13 : 14);
    }
}

void help_write_commands(Page *page, const Session *session) {
    write_summaries(page, session, false);
}

void help_write_settings(Page *page, const Session *session) {
    write_summaries(page, session, true);
}

static void write_group(Page *page, const char *group, Text *names) {
    page_row(page, tr_among("functions", group), names->data, page_is_narrow(page) ? 0 : 19);
    text_clear(names);
}

void help_write_functions(Page *page, const Session *session) {
    const char *group = "";
    LocalText names = TEXT_FOR(page->text);
    HelpWalk walk = help_walk(session);
    for (HelpEntry entry; help_next(&walk, &entry);) {
        if (!entry.function) continue;
        if (names.length && strcmp(group, entry.function->group) != 0)
            write_group(page, group, &names);
        group = entry.function->group;
        text_format(&names, "%s%s", names.length ? " " : "", entry.name);
    }
    write_group(page, group, &names);
}

/* ---- --safe ---- */

void help_write_safe(Page *page, const Session *session) {
    (void)session;
    page_gap(page);
    page_paragraph(page, "The program refuses the rest itself, and says so.");
    LocalText line = TEXT_EMPTY;
    text_say(&line, "Behind that, this system holds it by %s.", sandbox_words());
    page_paragraph(page, line.data);
}

/* ---- lessons ---- */

void help_write_lesson_words(Page *page, const Session *session) {
    enum { ROWS_MOST = 20 };
    (void)session;
    PageRow rows[ROWS_MOST + 1] = {
        {tr("Enter"), N_("runs the cell that is shown, or goes on; next, too"), NULL},
        {tr("any line"), N_("runs; after each the exercise is checked"), NULL}};
    size_t count = 2;
    for (const LessonWord *word = lesson_words; word->name && count < ROWS_MOST; word++)
        if (word->typed) rows[count++] = (PageRow){word->typed, word->help, NULL};
    page_rows(page, rows);
    page_gap(page);
    page_paragraph(page, "help NAME is the page of a function or command; help first and help "
                         "commands say more.");
}

/* ---- finding one ---- */

const char help_words[] =
    "first language python commands settings functions keys files models course for while break "
    "continue conditions elif else def class return yield lambda global nonlocal "
    "try except raise finally with assert del import from as in if and or not is indexing strings "
    "operators";

const HelpTopic *help_topic_find(const char *name) {
    for (const HelpTopic *topic = help_topics; topic->name; topic++)
        if (strcmp(topic->name, name) == 0 || words_contain(topic->words, name, strlen(name)))
            return topic;
    return NULL;
}

/* An error of writing is not reported: the prompt that follows meets it again. */
void welcome_write(Host *host) {
    static const PageRow rows[] = {{"help first", "a walk; help: all there is", NULL},
                                   {"lesson", "a course, in steps", NULL},
                                   {"exit", "leaves", NULL},
                                   {NULL, NULL, NULL}};
    Text text = TEXT_EMPTY;
    Page page = page_begin(&text, host);
    page_paragraph(&page, "attn: see what attention computes. Type");
    page_rows(&page, rows);
    host_write_text(host, &text, NULL);
}

void welcome_write_steps(Page *page, const Session *session) {
    (void)session;
    page_gap(page);
    page_paragraph(page, page_is_narrow(page)
                             ? "Then: set tokens \"we love tea\", attend, help, help attend"
                             : "Then: set tokens \"we love tea\" names the rows, help attend says "
                               "what else it takes, and help shows what else there is.");
}

const PageRow welcome_overview[] = {
    {"X = randn(3, 4)", "define a matrix: a row of numbers for each token", "define a matrix"},
    {"attend X", "let its rows attend to each other (or: attend Q K V)", "rows attend to rows"},
    {"set temperature 0.5", "turn a knob: scale, mask, position, heads, tokens, ...",
     "turn a knob"},
    {"weights", "look again: also scores, entropy, output; show, who", "look: show, who"},
    {"trace 0", "follow one query step by step; why 0 1, diagnose, sweep", "one query by steps"},
    {"explore", "all of it on the full screen, turned by single keys", "on the full screen"},
    {"plot weights", "draw; plot weights to \"w.png\" makes a file", "draw"},
    {"undo", "take the last change back; redo", "take it back"},
    {"lesson", "be led through it, with exercises; lessons lists them", "a course"},
    {"help models", "train a Transformer, and ask it", "train a Transformer"},
    {"help first", "new here? A walk of one minute", "new here? Begin so"},
    {"help NAME", "the page of a function, command or setting; NAME? too", "its page; NAME? too"},
    {"apropos WORD", "search what there is: apropos mask", "search"},
    {"help language", "also: help commands, settings, functions, keys, files", "keys, files, ..."},
    {"exit", "leave (or Ctrl-D)", "leave (or Ctrl-D)"},
    {NULL, NULL, NULL},
};

void welcome_write_overview(Page *page) {
    page_heading(page, page_is_narrow(page)
                           ? "Type numbers, see attention."
                           : "Type numbers, see attention. What you can do, in order:");
    page_gap(page);
    page_rows(page, welcome_overview);
    if (!page_is_narrow(page)) page_gap(page); /* 40x20 has no line to spare */
    page_paragraph(
        page, page_is_narrow(page)
                  ? "Else as in NumPy: softmax(X @ X.T)"
                  : "Expressions are Python's with NumPy's meaning: softmax(X @ X.T / sqrt(4))");
}
