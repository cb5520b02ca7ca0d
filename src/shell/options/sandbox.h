/* --safe, held by the system: after this the program can read only what it was told to, write no
 * file, start no program and open no connection, whatever a script makes it do.
 *
 * The session refuses the same by itself, with words that say why; this is behind it. Linux has
 * Landlock, for what is read, and seccomp filters, for the rest; where they are missing the
 * session's own checks are all there is. */
#ifndef ATTN_SHELL_SANDBOX_H
#define ATTN_SHELL_SANDBOX_H

#include <stdbool.h>

/* Enters it, for good; before threads are made. `readable`: files and folders that may be read,
 * with what lies below them; NULL at the end; those that are not there are passed over. */
void sandbox_enter(const char *const *readable);

/* The means by which this system holds it, or would before it is entered: "Landlock and seccomp",
 * "seccomp", "the program's own checks". */
const char *sandbox_words(void);

#endif
