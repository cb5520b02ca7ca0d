/* Text that was copied from a prompt: its prompts are taken off, its results left out. */
#ifndef ATTN_SHELL_PASTE_H
#define ATTN_SHELL_PASTE_H

#include "base/text.h"

/* Appends the paste as it should be run: line ends are \n, and where its first line that is not empty begins with a prompt
 * (`>>> `, `attn> `, `In [3]: `), only the lines with that prompt or its continuation (`... `, `  ... `, `   ...: `) stay, without
 * them. `$ ` and `% ` are not taken for prompts. */
void paste_clean(Text *out, const char *text, size_t length);

#endif
