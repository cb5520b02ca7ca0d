/* Proposes what to type instead of what a person who comes from another language, library or shell,
 * or from a paper, has typed: lists of words and signs and what they stand for, and lines that are
 * rewritten by them. A line is proposed only if a trial shows no fault in it.
 *
 * Where a remedy is a template, %1 %2 %3 stand for the arguments of a call, %a for all of them and
 * %r for all but the first, %s for all behind the second, each after a comma, %(axis) for the value
 * of a keyword, %l for the rest of the line and %f for it as the name of a file. Of `a|b|c` the
 * first is taken that has its arguments; as an example, the last. These ask for more:
 *   %v  the first argument, a variable
 *   %t  the first argument, "a.txt" as "a.csv"
 *   %d  the first argument, "1 2; 3 4" as a list of rows
 *   %o  the second, counted from 0 instead of from 1
 *   %w  nothing, for a second argument that is a shape of one axis
 *   %u  nothing, for a first argument that is no matrix; %U: that is one; %V: with more axes
 *   %i  nothing, for a second argument that is no matrix
 *   %x  nothing, for a second argument that is an array or list
 *   %(reduction=none)  nothing, for a keyword that has this value; %(reduction=): that is there
 *   %e  mean, or sum or nothing where the keyword reduction of a loss of PyTorch says so
 *   %_  nothing, for any further arguments: without it a template must use all there are */
#ifndef ATTN_LANG_REMEDY_H
#define ATTN_LANG_REMEDY_H

#include "base/text.h"
#include "lang/interp.h"

/* The lists of words. What a word stands for is a name of this language, a sentence that says what
 * to do, or a template. */
typedef enum ForeignList {
    FOREIGN_NAMES,    /* functions and values: "concatenate", "%1 @ %2" */
    FOREIGN_CALLS,    /* functions whose name alone, or behind a dot, means something else */
    FOREIGN_KEYWORDS, /* arguments: `dim` is "axis"; "": it is to be left out */
    FOREIGN_MODULES,  /* of pasted code, the `torch` before a dot */
    FOREIGN_MEMBERS,  /* names behind such a module whose call reads differently here */
    /* layers of PyTorch that are called where they are made, nn.Softmax(dim=-1)(x): templates with
     * the arguments of that call, where %m %n stand for what the layer is made from, %k for its
     * keywords */
    FOREIGN_LAYERS,
    FOREIGN_TORCH,      /* PyTorch's that mean something else than NumPy's: templates */
    FOREIGN_TENSORFLOW, /* the same of TensorFlow and jax.random */
    FOREIGN_IMPORTS,    /* modules that cannot be imported: a sentence */
    FOREIGN_STATEMENTS, /* what a statement begins with: a sentence, or a template with %l or %f */
} ForeignList;

/* Returns what the word stands for; NULL: the list does not have it, or the word is NULL. */
const char *foreign_word(ForeignList list, const char *word);
/* Returns the template for a function of TensorFlow or jax.random that does something else than
 * NumPy's of the same name; NULL: the two do the same, as all functions of jax.numpy do. */
const char *tensorflow_word(const Node *module, const char *name);

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

/* The setting (a row of a command's `sub`) that alone has the word among its own; NULL. */
const CommandSyntax *setting_of_word(const Interp *interp, const char *word);

bool foreign_is_template(const char *here);

/* True for a name with Chinese characters; what is said of one that is not known. */
bool name_is_chinese(const char *name);
extern const char chinese_hint[];

/* ---- lines ---- */

/* Makes a line the hint of the error, behind an opening ("write "), unless it fails where it is
 * typed, as far as a trial sees that: then false, and the hint stays. */
bool propose(Interp *interp, Error *err, const char *opening, const char *line);
/* Proposes a line as rewriting has it, or as it is where nothing in it is foreign. */
bool propose_rewritten(Interp *interp, Error *err, const char *text);
/* Makes the rewritten line of the error the hint, where that line parses. script: the text around
 * it, where nothing of it has run; or NULL. */
void rewrite_hint(Interp *interp, Error *err, const char *script);

#endif
