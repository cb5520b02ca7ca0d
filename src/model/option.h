/* Options: members of a struct that are set by name, at the prompt or in a file. A table has a row
 * for each, and defaults, checks, arguments, attributes and files walk the table. */
#ifndef ATTN_MODEL_OPTION_H
#define ATTN_MODEL_OPTION_H

#include "base/text.h"

#include <stdint.h>

typedef enum OptionKind {
    OPTION_WORD,     /* an enum: the index of one of `words` */
    OPTION_POSITION, /* a const PositionDef *, by its word */
    OPTION_SIZE,     /* a size_t from `least` to `most`; NO_SIZE for None */
    OPTION_SEED,     /* a uint64_t */
    OPTION_NUMBER,   /* a double */
    OPTION_FLAG,     /* a bool */
    OPTION_TEXT,     /* a const char *, not for files */
} OptionKind;

#define NO_SIZE SIZE_MAX

typedef struct Option {
    const char *name;
    const char *usual; /* the default as the language writes it; None: its struct says */
    OptionKind kind;
    size_t at;                /* the member's offset */
    const char *const *words; /* NULL at the end */
    size_t least, most;
    bool may_be_none; /* a size that need not be given */
    size_t since;     /* files have it from this version on; 0: all do */
} Option;

/* Parts of a list X(NAME, TYPE, DEFAULT, the other columns): a row, the name, 1, and the parameter
 * as a builtin declares it (lang/builtin.h). */
#define OPTION_ROW(its_name, type, its_usual, ...) \
    {.name = its_name, .usual = its_usual, __VA_ARGS__},
#define OPTION_NAME(name, type, usual, ...) name,
#define OPTION_ONE(name, type, usual, ...) +1
#define OPTION_PARAMETER(name, type, usual, ...) name ":" type "=" usual " "

/* The address of the member in `base`, the struct that holds the option. */
static inline void *option_member(const Option *option, const void *base) {
    return (char *)base + option->at;
}
/* True for an option that is one of several words. */
static inline bool option_has_words(const Option *option) {
    return option->kind == OPTION_WORD || option->kind == OPTION_POSITION;
}
/* True if an option that need not be given is not. */
bool option_is_none(const Option *option, const void *base);
/* Word number i; NULL behind the last one. */
const char *option_word(const Option *option, size_t i);
const char *option_chosen(const Option *option, const void *base);
/* False: none of the words is that. */
bool option_choose(const Option *option, void *base, const char *word);
/* Appends the words, "pre" or "post", with `quote` around each. */
void option_list_words(const Option *option, const char *quote, Text *out);
/* Sets the default. */
void option_reset(const Option *option, void *base);
/* True if both structs have the same. */
bool option_equal(const Option *option, const void *a, const void *b);
/* ERR_VALUE: the size is out of its range. */
bool option_check(const Option *option, const void *base, Error *err);

/* Appends the value as files have it. */
void option_write(const Option *option, const void *base, Text *out);
/* Sets the value from such a text. Returns what is wrong with the text, as "no number", or NULL. */
const char *option_read(const Option *option, void *base, const char *text);

#endif
