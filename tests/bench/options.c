#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind { COUNT, WORD, FLAG } Kind;

typedef struct Option {
    const char *name;
    Kind kind;
    size_t place;        /* in Options */
    const char *cases;   /* that take it, between blanks; NULL: all */
    const char *choices; /* of a word, between blanks */
    const char *help;
} Option;

#define PLACE(member) offsetof(Options, member)
static const char attention[] = " attention attention-backward ";
static const char products[] = " gemm ";

static const Option table[] = {
    {"--n", COUNT, PLACE(n), " attention attention-backward gemm softmax ", NULL,
     "queries; columns of a product; numbers of a row"},
    {"--keys", COUNT, PLACE(keys), attention, NULL, "as many as queries unless given"},
    {"--heads", COUNT, PLACE(heads), attention, NULL,
     "side by side in a row of heads * dim numbers"},
    {"--dim", COUNT, PLACE(dim), attention, NULL, "of a head"},
    {"--causal", FLAG, PLACE(causal), attention, NULL, "a query sees the keys up to its own place"},
    {"--window", COUNT, PLACE(window), attention, NULL,
     "a query sees so many places to either side"},
    {"--position", WORD, PLACE(position), attention, " none rope alibi relative ",
     "how places are told"},
    {"--m", COUNT, PLACE(m), products, NULL, "m x k times k x n"},
    {"--k", COUNT, PLACE(k), products, NULL, "numbers that each sum runs over"},
    {"--transpose-a", FLAG, PLACE(transpose_a), products, NULL, "the left matrix lies as k x m"},
    {"--transpose-b", FLAG, PLACE(transpose_b), products, NULL, "the right matrix lies as n x k"},
    {"--rows", COUNT, PLACE(rows), " softmax ", NULL, "rows of n numbers"},
    {"--dtype", WORD, PLACE(dtype), NULL, " float double ", "the type of the numbers"},
    {"--threads", COUNT, PLACE(threads), NULL, NULL,
     "1 unless given, at most the cores of this machine"},
    {"--runs", COUNT, PLACE(runs), NULL, NULL,
     "samples, each of 20 ms or of one call; 9 unless given"},
    {"--scratch", FLAG, PLACE(scratch), NULL, NULL,
     "adds memory_mb, the peak beyond inputs and outputs"},
    {"--serve", FLAG, PLACE(serve), NULL, NULL, "takes a sample for each line of standard input"},
    {"--help", FLAG, PLACE(help), NULL, NULL, "this list"},
};
enum { OPTIONS = sizeof table / sizeof table[0] };

void options_init(Options *options) {
    *options = (Options){.n = 1024,
                         .keys = NOT_GIVEN,
                         .heads = 8,
                         .dim = 64,
                         .window = NOT_GIVEN,
                         .m = 512,
                         .k = 512};
    options->rows = 1024;
    options->threads = 1;
    options->runs = 9;
    options->dtype = "float";
    options->position = "none";
}

static const Option *find(const char *name) {
    for (int i = 0; i < OPTIONS; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

/* Whether the word stands in the list, between blanks. */
static bool listed(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(list + 1, word); length > 0 && at; at = strstr(at + 1, word))
        if (at[-1] == ' ' && at[length] == ' ') return true;
    return false;
}

static bool complain(const char *what, const char *given) {
    fprintf(stderr, "attn-bench: %s %s; attn-bench --help lists all\n", what, given);
    return false;
}

static bool read_count(const Option *option, const char *word, long *out) {
    char *end;
    errno = 0;
    *out = strtol(word, &end, 10);
    /* A window of 0 sees one key. */
    if (end != word && *end == '\0' && errno == 0 && *out >= (option->place != PLACE(window)) &&
        *out < 1L << 30)
        return true;
    fprintf(stderr, "attn-bench: %s takes a count, not '%s'\n", option->name, word);
    return false;
}

static bool read_word(const Option *option, const char *word, const char **out) {
    *out = word;
    if (listed(option->choices, word)) return true;
    fprintf(stderr, "attn-bench: %s takes one of%.*s, not '%s'\n", option->name,
            (int)strlen(option->choices) - 1, option->choices, word);
    return false;
}

static bool read_value(const Option *option, const char *word, char *place) {
    if (!word) return complain("a value must follow", option->name);
    return option->kind == COUNT ? read_count(option, word, (long *)place)
                                 : read_word(option, word, (const char **)place);
}

bool options_read(Options *options, const char *name, char **words) {
    for (; *words; words++) {
        const Option *option = find(*words);
        if (!option) return complain("there is no option", *words);
        if (option->cases && !listed(option->cases, name))
            return complain("this case takes no", *words);
        char *place = (char *)options + option->place;
        if (option->kind == FLAG) *(bool *)place = true;
        else if (!read_value(option, *++words, place)) return false;
    }
    return true;
}

void options_list(void) {
    static const char *const values[] = {" N", " WORD", ""};
    for (int i = 0; i < OPTIONS; i++) {
        const Option *option = &table[i];
        char left[40];
        snprintf(left, sizeof left, "%s%s", option->name, values[option->kind]);
        printf("  %-18s %s", left, option->help);
        if (option->choices) printf(":%.*s", (int)strlen(option->choices) - 1, option->choices);
        if (option->cases) printf(" (%.*s)", (int)strlen(option->cases) - 2, option->cases + 1);
        putchar('\n');
    }
}
