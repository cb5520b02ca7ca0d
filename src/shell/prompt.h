/* The prompt: reads entries from a person, line by line. */
#ifndef ATTN_SHELL_PROMPT_H
#define ATTN_SHELL_PROMPT_H

#include "session/session.h"

/* Runs until exit or the end of input; a guest, whom a script left at the prompt, leaves by Enter,
 * too, before anything else was typed. PROMPT_LESSON: session->player begins, and leaving it leaves
 * the prompt. */
typedef enum PromptBegin { PROMPT_BANNER, PROMPT_PLAIN, PROMPT_GUEST, PROMPT_LESSON } PromptBegin;
void prompt_run(Session *session, PromptBegin begin);
/* Serves as Host.page: the pager, unless keys wait that are for the prompt and would steer it. */
bool prompt_page(Host *host, const char *text, size_t length, Error *err);

/* Shows an error on stderr, as wide as the screen: the source line with a caret, then kind, cause
 * and remedy. typed: the line that was typed at the prompt right above, below which only the caret
 * is shown; or NULL. */
void report_error(const Session *session, const Error *error, const char *typed);
/* The status of the program that exit(2) asks for; of exit("no file"), which is shown on stderr, 1;
 * of the command exit and of exit(), 0. */
int report_exit(const Session *session, const Error *error);

#endif
