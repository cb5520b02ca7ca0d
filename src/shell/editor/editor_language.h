/* What the editor asks of the language. The headers of the session would clash with those of
 * readline, and of the frames. */
#ifndef ATTN_SHELL_EDITOR_LANGUAGE_H
#define ATTN_SHELL_EDITOR_LANGUAGE_H

#include "base/host.h"
#include "shell/editor/editor.h"

typedef enum Judgement { ENTRY_IS_WHOLE, ENTRY_IS_WRONG, ENTRY_GOES_ON } Judgement;

/* Of lines that end with \n each. missing: what is not there yet, appended when it goes on; or
 * NULL. */
Judgement language_judge(Session *session, const char *text, size_t length, bool lines_follow,
                         Text *missing);
Host *language_host(Session *session);

#endif
