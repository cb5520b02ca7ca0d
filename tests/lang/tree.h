/* For the tests of the parser: a tree as a line of text.
 *
 *   a + b * 2        (add a (multiply b 2))
 *   x#1              the name x in slot 1; x alone is a session variable
 *   plot weights A   (plot weights: A)    own words end in a colon
 */
#ifndef ATTN_TESTS_LANG_TREE_H
#define ATTN_TESTS_LANG_TREE_H

#include "lang/parser.h"

typedef struct Parsed {
    ParseStatus status;
    Error err;
    char tree[4000];   /* statements separated by " | " */
    char entries[400]; /* "2 1": statements per entry */
    bool used_full_width;
    int slot_count;
} Parsed;

/* Parses with the commands of the tests: plot, set, attend, trace, entropy, weights, head, help ...
 */
const Parsed *parsed(const char *text, size_t length, bool lines_follow);
/* The tree of a text that must parse. */
const char *tree_of(const char *text);

#endif
