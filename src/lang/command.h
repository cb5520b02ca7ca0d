/* Commands as lang sees them: words to parse by, and a parsed call to run.
 *
 * Arguments are separated by spaces: one of the command's own words, a number
 * with its sign, a string, a name, a call or index without spaces, or an
 * expression in parentheses. A command's own words win over variables. */
#ifndef ATTN_LANG_COMMAND_H
#define ATTN_LANG_COMMAND_H

#include "lang/node.h"

typedef struct CommandSyntax CommandSyntax;
/* The arguments that a command takes beside its own words: completion offers these there. */
typedef enum CommandTakes {
    TAKES_WORDS, /* no more than these (and values, where it takes an expression) */
    TAKES_VALUES,
    TAKES_ARRAYS,
    TAKES_FILE,      /* a file's name, in quotes */
    TAKES_PAGES,     /* names of help pages */
    TAKES_STEERING,  /* the settings that steer attention */
    TAKES_SNAPSHOTS, /* their names */
    TAKES_MODELS,    /* and behind `on` tasks */
    TAKES_LESSONS,   /* one word of any signs without spaces: 5, scaling, zh/05-scaling */
} CommandTakes;

struct CommandSyntax {
    const char *name;
    const char *words;   /* its own words, separated by spaces */
    const char *options; /* more of them, after the first argument only; or NULL */
    const char *joined;  /* own words after which a comma and an expression may follow; or NULL */
    const char *pairs;   /* own words that two values follow, each without spaces; or NULL */
    const char *dotted;  /* own words behind which 1.0 or 1.mlp is one word; or NULL */
    const char *wholes;  /* own words that one whole expression follows; or NULL */
    bool lists;          /* a comma between its arguments is a word, too */
    bool expression;     /* an argument that is not a word is a whole expression (up to `to`, `as`,
                            `against` or the end); with commas: a tuple */
    bool shows;          /* may give way to a variable of its name; decided by who runs it */
    bool is_function;    /* also a builtin: with `(` it is a call */
    const char *value;   /* how an expression gets what the command shows: "last.weights"; NULL */
    bool asks;           /* words in plain language may follow: help how do I mask what's ahead? */
    CommandTakes takes;
    const CommandSyntax *sub; /* the first argument picks a row with words of its own (settings);
                                 ends with a NULL name */
};

/* Among rows that end with a NULL name (or NULL, none): commands, or the settings of one; NULL. */
const CommandSyntax *command_find(const CommandSyntax *rows, const char *name, size_t length);
/* The command that `name` is a setting of; NULL. */
const CommandSyntax *command_of_setting(const CommandSyntax *rows, const char *name);
/* True if the word is one of the row's own; one of its options. */
bool command_has_word(const CommandSyntax *row, const char *word, size_t length);
bool command_has_option(const CommandSyntax *row, const char *word, size_t length);

struct Interp;
struct Frame;

/* A command being run. The functions below take its arguments from left to right. */
typedef struct CommandCall {
    struct Interp *interp;
    struct Frame *frame;
    const Node *node;
    int next;       /* the argument to take next */
    bool quiet;     /* the line ended with ';' */
    bool top_level; /* not inside a block or function */
} CommandCall;

bool command_at_end(const CommandCall *call);
/* Takes the next argument when it is this own word. */
bool command_take(CommandCall *call, const char *word);
/* True if the next argument is this own word. */
bool command_next_is(const CommandCall *call, const char *word);
/* True if the next argument is any own word. */
bool command_next_is_word(const CommandCall *call);
/* Takes the next argument when it is any own word: the word, or NULL. */
const char *command_take_word(CommandCall *call);
/* The argument if it is a plain name (or an own word), unevaluated; NULL if it is anything else. */
const char *command_argument_name(const CommandCall *call, int index);
/* Takes the next argument when it is a plain name (or an own word): the name, unevaluated; NULL. */
const char *command_take_name(CommandCall *call);
/* Evaluates the next argument. ERR_SYNTAX "`what` is missing" at the end. */
bool command_value(CommandCall *call, const char *what, Value *out, Error *err);
bool command_number(CommandCall *call, const char *what, double *out, Error *err);
/* As command_value, where a text is meant: what has no quotes is shown with them. */
bool command_text(CommandCall *call, const char *what, Value *out, Error *err);
bool command_string(CommandCall *call, const char *what, Value *out, Error *err);
/* ERR_SYNTAX names the first argument that was not taken. */
bool command_finish(CommandCall *call, Error *err);
/* Sets the place of an error to the argument `index`; to the last that was taken. Returns false. */
bool command_error_at(const CommandCall *call, int index, Error *err);
static inline bool command_error_last(const CommandCall *call, Error *err) {
    return command_error_at(call, call->next - 1, err);
}
/* Appends ", t = 0.5" for each variable in the source of an argument that is a plain number: for
 * the title of a picture, which the source alone does not tell from others. */
void command_write_numbers(const CommandCall *call, int index, Text *out);
/* The source text of an argument, as typed: borrowed, not zero-terminated. */
const char *command_argument_text(const CommandCall *call, int index, size_t *length);

#endif
