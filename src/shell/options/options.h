/* The command line. */
#ifndef ATTN_SHELL_OPTIONS_H
#define ATTN_SHELL_OPTIONS_H

#include "base/error.h"
#include "base/text.h"

/* clang-format off */
typedef enum Action {
    ACTION_PROMPT, ACTION_FILE, ACTION_CODE, ACTION_STDIN, ACTION_CHECK, ACTION_EXPORT,
    ACTION_LESSONS, ACTION_LESSON, ACTION_PRESENT, ACTION_SUBMIT, ACTION_COLLECT,
    ACTION_TOPIC, ACTION_HELP, ACTION_VERSION, ACTION_REFERENCE, ACTION_MANUAL
} Action;
/* clang-format on */

typedef struct Options {
    Action action;
    const char *script; /* the path, or the code of -c */
    bool then_prompt;   /* -i FILE */
    bool quiet, safe;
    const char *color;                     /* "auto" "always" "never" */
    const char *plots;                     /* a folder, or NULL */
    const char *output;                    /* of export and submit: a file or a folder, or NULL */
    const char *further;                   /* the second output of collect, or NULL */
    const char *name;                      /* of submit, or NULL */
    bool force;                            /* submit --force, collect --force */
    bool again, all, brief;                /* export --run, export --all, check --short */
    const char *usage;                     /* what --help prints of a verb; NULL: of the program */
    const char *seed, *threads, *language; /* as given, or NULL */
    char **args; /* the words behind the script, or behind `check`, `lesson`; NULL at the end */
} Options;

/* False: wrong usage, with what is wrong and what is allowed in err (ERR_SYNTAX). */
bool options_read(Options *options, int argc, char **argv, Error *err);
void options_write_usage(Text *out); /* appends what --help prints */
extern const char options_summary[]; /* below what is wrong */

#endif
