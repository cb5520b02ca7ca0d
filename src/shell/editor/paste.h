/* Text that was copied from a prompt: its prompts are taken off, its results left out; from an
 * answer or a page: its fences. */
#ifndef ATTN_SHELL_PASTE_H
#define ATTN_SHELL_PASTE_H

#include "base/text.h"

/* Appends the paste as it should be run: line ends are \n. Where it begins with a fence (```), only
 * what stands between fences stays. Where that begins with a prompt (`>>> `, `attn> `, `In [3]: `),
 * only the lines with that prompt or its continuation (`... `, `  ... `, `   ...: `) stay, without
 * them. Empty lines begin nothing. `$ ` and `% ` are not taken for prompts. */
void paste_clean(Text *out, const char *text, size_t length);

#endif
