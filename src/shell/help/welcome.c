#include "shell/help/welcome.h"

/* Nothing to say where it cannot be written: the prompt that follows will find out. */
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
