/* Notes what must not outlive the program when a signal ends it: files that are still being
 * written, children, and the mode of the terminal. Nothing of it can be done after SIGKILL. */
#ifndef ATTN_BASE_ENDING_H
#define ATTN_BASE_ENDING_H

#include <sys/types.h>

/* SIGTERM, SIGHUP and SIGQUIT remove what is noted here, and end the program then; those that are
 * ignored, by nohup say, stay ignored. */
void ending_install(void);

/* Signals wait between these two calls, so what is made there is also noted. */
void ending_hold(void);
void ending_let_go(void);

/* A file that is to be removed; a few at a time, more are not noted. */
void ending_note_file(const char *path);
void ending_forget_file(const char *path);
/* A process group that is to be killed. */
void ending_note_group(pid_t group);
void ending_forget_group(pid_t group);
/* Sets a function that the signal handler calls before all else: it gives the terminal back. */
void ending_note_call(void (*function)(void));

#endif
