/* Cleans text that was copied from a prompt (takes off its prompts and leaves out its results) or
 * from an answer or a page (takes the text between its fences). */
#ifndef ATTN_SHELL_PASTE_H
#define ATTN_SHELL_PASTE_H

#include "base/text.h"

/* Appends the paste as it should be run; its lines end with \n, but the last: nothing runs before
 * Enter, so a line end there would only be in the way. Zero bytes are dropped. If it begins with a
 * fence (```), only the text between fences stays. If that begins with a prompt (`>>> `, `attn> `,
 * `In [3]: `, or `[3]:` alone), only the lines with such a prompt or its continuation (`... `, `
 * ... `, `   ...: `) stay, without it; where all prompts are alone in their line, the lines between
 * them that are no results. Empty lines do not count as the beginning. `$ ` and `% ` are not taken
 * for prompts. */
void paste_clean(Text *out, const char *text, size_t length);

#endif
