/* JSON: written strictly, in pieces that a caller puts together, and read into a tree of jansson's.
 *
 * What JSON has no number for becomes a string: "nan", "inf", "-inf". */
#ifndef ATTN_IO_JSON_H
#define ATTN_IO_JSON_H

#include "engine/tensor/tensor.h"

/* ---- writing ---- */

/* Writes in double quotes, with what must be escaped escaped; other UTF-8 as it is. */
void json_write_string(Text *out, const char *text, size_t length);
void json_write_text(Text *out, const char *text); /* up to its zero byte */
/* The shortest digits that read back to the same double (or float, when `single`). */
void json_write_number(Text *out, double x, bool single);
/* Nested lists of numbers or booleans; a number for a tensor without axes. False, with
 * ERR_INTERRUPT, on Ctrl-C. */
bool json_write_tensor(Text *out, const Tensor *tensor, Error *err);

/* ---- reading ---- */

/* The tree of a text, to be asked with the functions of jansson.h and not to be changed. */
typedef struct JsonTree {
    struct json_t *root;
    void *memory; /* from base/memory.h: the whole tree lies in it */
} JsonTree;

/* Names that come twice are refused, and so is deep nesting. ERR_FILE says what is wrong with
 * `what`, and quotes no character that a terminal would obey; ERR_LIMIT. */
bool json_tree_read(JsonTree *out, const char *text, size_t length, const char *what, Error *err);
/* The same of a file in a folder, of at most `limit` bytes, which must hold an object. */
bool json_tree_read_file(JsonTree *out, const char *folder, const char *name, size_t limit,
                         const char *what, Error *err);
void json_tree_release(JsonTree *tree); /* zeroed memory is fine */
#define LocalJsonTree __attribute__((cleanup(json_tree_release))) JsonTree
/* The text of a string without zero bytes, borrowed; NULL: it is none. */
const char *json_text(const struct json_t *value);
/* Sets *out to a whole number from `least` to count - 1. False: it is something else, or NULL. */
bool json_whole(const struct json_t *value, int least, size_t count, int *out);
/* Appends such a text, or what JSON writes for a number or a truth. False: it is
 * something else, or NULL. */
bool json_scalar_text(Text *out, const struct json_t *value);

/* Text from a file as a message can show it: cut, and with ? for control characters. */
typedef struct QuotedText {
    char text[96];
} QuotedText;
QuotedText quoted_text(const char *text);

#endif
