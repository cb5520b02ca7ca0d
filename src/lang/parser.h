/* Parses text to a tree. */
#ifndef ATTN_LANG_PARSER_H
#define ATTN_LANG_PARSER_H

#include "lang/interp.h"

typedef enum ParseStatus {
    PARSE_OK,
    PARSE_ERROR,      /* err is filled, with its place */
    PARSE_INCOMPLETE, /* more lines may make it whole; err says what is missing */
} ParseStatus;

/* Parses and resolves a whole text. `file` as in Error. Names are interned in the interp, command
 * words come from its hooks. *chunk is new on PARSE_OK. `lines_follow`: the text comes from a
 * prompt, where an open block or bracket is PARSE_INCOMPLETE; else it is PARSE_ERROR. There each
 * line ends with \n, and an indented block goes on until a line that is empty ("for x in y:\n
 * z\n\n"). */
ParseStatus parse(Interp *interp, const char *file, const char *text, size_t length,
                  bool lines_follow, Chunk **chunk, Error *err);

/* The text of a module of Python: its variables are those of a function (Chunk.module). */
ParseStatus parse_module_text(Interp *interp, const ModuleText *module, Chunk **chunk, Error *err);
/* Parses a check over what a person has made. The name of a builtin means the builtin, whatever
 * variable has that name. What the check assigns at its top level are variables of its own, which
 * the functions that it calls do not see. Names that `made`, a text that makes what is checked,
 * assigns there are the session's. made: NULL for none; it must be of the same interp. */
ParseStatus parse_check(Interp *interp, const char *file, const char *text, size_t length,
                        const Chunk *made, Chunk **chunk, Error *err);

/* True if a text assigns to the session variable, or to a part of it. */
bool chunk_assigns(const Chunk *chunk, const Symbol *symbol);

#endif
