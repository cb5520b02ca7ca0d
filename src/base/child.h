/* A child program: started, written to, listened to, and ended.
 *
 * Its input is a pipe of ours. Its output and errors are pipes too, which child_exchange empties
 * while it writes, so that neither side waits for the other for ever; or, with `shares_terminal`,
 * they are our own, for a program that talks to the person itself.
 *
 * With pipes it runs in a process group of its own: Ctrl-C at the terminal does not reach it, and
 * child_kill ends it with everything that it has started. A Child of zeros is none. */
#ifndef ATTN_BASE_CHILD_H
#define ATTN_BASE_CHILD_H

#include "base/text.h"

#include <sys/types.h>

typedef struct Child {
    pid_t pid;                 /* 0: none, or it has ended */
    int input, output, errors; /* our ends of its pipes; -1: there is none, or it is closed */
    int status;                /* its end, as waitpid tells it */
    bool own_group;
} Child;

/* True if there is such a program. A name without a slash is looked up in PATH. */
bool child_program_exists(const char *program);
/* Starts arguments[0], looked up in PATH; the arguments end with NULL. variables: "NAME=value"
 * each, NULL at the end, set for the child where our environment lacks them; or NULL for none.
 * Signals act on it as on any program, whatever we do with ours. Returns 0 or an errno; the child
 * is then none. */
int child_start(Child *child, const char *const *arguments, const char *const *variables,
                bool shares_terminal);

/* The bytes that are on their way to a child. */
typedef struct ChildInput {
    const char *bytes;
    size_t length, sent;
} ChildInput;

/* Waits up to `milliseconds` until the child reads or says something; sends what it reads now, and
 * appends what it says. Of a long output only the last 16 kB or more are kept, and zero bytes
 * become spaces, so that it can be searched as a string. output and errors may be NULL where the
 * child shares the terminal. False: the child has closed one of its ends. */
bool child_exchange(Child *child, ChildInput *input, int milliseconds, Text *output, Text *errors);

/* Ends its input, which most programs take as a request to leave. */
void child_close_input(Child *child);
/* True once it has ended, also where there was none; waits for that up to `milliseconds`. */
bool child_wait(Child *child, int milliseconds);
/* Sends it (with its group, if that is its own) a signal. */
void child_signal(const Child *child, int signal);
/* Ends it at once, and returns when it is gone. */
void child_kill(Child *child);

#endif
