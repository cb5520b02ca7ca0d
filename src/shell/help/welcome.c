#include "shell/help/welcome.h"

/* Nothing to say where it cannot be written: the prompt that follows will find out. */
void welcome_write(Host *host) {
    static const PageRow rows[] = {{"help first", "a walk of one minute", NULL},
                                   {"help", "what can be typed", NULL},
                                   {"exit", "leaves", NULL},
                                   {NULL, NULL, NULL}};
    Error ignored;
    Text text;
    text_init(&text);
    Page page = page_begin(&text, host);
    page_paragraph(&page, "attn: see what attention computes. Type");
    page_rows(&page, rows);
    host_write_text(host, &text, &ignored);
}

const PageRow welcome_steps[] = {
    {"X = [1, 0; 0, 1; 1, 1]", "three tokens, a row of numbers for each", NULL},
    {"attend X",
     "the weights: row i says how much token i looks at each token; a row sums to 1. Below them "
     "the output, and beside each row its entropy: how "
     "spread out it is",
     "row i: how much token i looks at each; it sums to 1"},
    {"set temperature 0.25",
     "turns a knob: the scores are divided by it, so attention gets sharper. One line says what "
     "changed",
     "sharper attention"},
    {"set mask causal", "no token sees those behind it: the first sees only itself",
     "no token sees those behind it"},
    {"plot weights", "the weights as a picture; plot weights to \"w.png\" makes a file",
     "the weights as a picture"},
    {"undo", "takes the last change back: the mask is gone", "the mask is gone again"},
    {NULL, NULL, NULL},
};

void welcome_write_steps(Page *page) {
    page_rows(page, welcome_steps);
    page_gap(page);
    page_paragraph(page, page_is_narrow(page)
                             ? "Then: set tokens \"we love tea\", attend, help, help attend"
                             : "Then: set tokens \"we love tea\" names the rows, help attend says "
                               "what else it takes, and help shows what else there is.");
}
