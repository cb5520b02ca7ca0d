/* Words of other languages, libraries and shells, and what to type here instead.
 *
 * Where a remedy is a template, %1 %2 %3 stand for the arguments of a call, %a for all of them and
 * %r for all but the first, %s for all behind the second, each after a comma, %(axis) for the value
 * of a keyword, %l for the rest of the line and %f for it as the name of a file. Of `a|b|c` the
 * first is taken that has its arguments; as an example, the last. These ask for more:
 *   %v  the first argument, a variable
 *   %t  the first argument, "a.txt" as "a.csv"
 *   %o  the second, counted from 0 instead of from 1
 *   %z  the second, where it is -1 and the last; %p the second + 1, where it is 0 or more
 *   %d  != 3 or not in [1, 3], for a second argument without a sign
 *   %i  the last, as a list: [3] for 3
 *   %w  nothing, for a second argument that is a shape of one axis
 *   %u  nothing, for a first argument that is no matrix
 *   %_  nothing, for any further arguments: without it a template must use all there are */
#ifndef ATTN_LANG_FOREIGN_H
#define ATTN_LANG_FOREIGN_H

#include "base/text.h"

/* A function or value: its name here ("concatenate"), or a template ("%1 @ %2"); NULL: unknown. */
const char *foreign_name(const char *name);
/* A keyword argument: `dim` -> "axis"; "" when it is to be left out; NULL. keyword NULL: none. */
const char *foreign_keyword(const char *keyword);
/* The remedy for a module of pasted code, the `torch` before a dot; NULL: the word is none. */
const char *foreign_module(const char *word);
/* A name behind such a module whose call reads differently here: a template; NULL. */
const char *foreign_member(const char *name);
/* A layer of PyTorch that is called where it is made, nn.Softmax(dim=-1)(x): a template with the
 * arguments of that call, where %m %n stand for what the layer is made from, %k for its keywords.
 */
const char *foreign_layer(const char *name);
/* A statement that begins with the word: a sentence or a template with %l or %f; NULL. */
const char *foreign_statement(const char *word);

/* Appends what Chinese words mean here, 设置温度 as "set temperature"; letters between them stay.
 * False when a part of the word is unknown. */
bool foreign_chinese(Text *out, const char *word, size_t length);

/* Appends a line that begins with a command, with the commands' own words for others: `set mask
 * off` as "set mask none". False when there are none such. */
bool foreign_phrases(Text *out, const char *line);

/* The meaning of a foreign sign; the kinds from SIGN_VALUE on are parts of a value. */
typedef enum SignKind {
    SIGN_NONE,     /* no sign */
    SIGN_WORDS,    /* nothing here: only the sentence answers it */
    SIGN_PLAIN,    /* the text `here` */
    SIGN_ELEMENTS, /* an operator of Octave that works element by element */
    SIGN_LOGICAL,  /* and, or; of arrays & and | */
    SIGN_PRODUCT,  /* * or @, as the operands have it */
    SIGN_CROSS,    /* the same, but of two vectors nobody knows which */
    SIGN_VALUE,    /* a number */
    SIGN_POWER,    /* ** of numbers, a product of matrices */
    SIGN_RAISED,   /* a digit of an exponent */
    SIGN_ROOT,
    SIGN_TRANSPOSE
} SignKind;

typedef struct ForeignSign {
    size_t length;
    SignKind kind;
    const char *here;
    const char *hint; /* the remedy where no line can be proposed; NULL: write `here` */
} ForeignSign;

/* The sign that the text begins with. */
ForeignSign foreign_sign(const char *text);
/* Appends what to do about the sign, in general. */
void foreign_write_hint(Text *text, const ForeignSign *sign);

bool foreign_is_template(const char *here);
/* A template as an example: x, y and z for the arguments, and nothing for the rest of a line. */
void foreign_write_example(Text *text, const char *template);

#endif
