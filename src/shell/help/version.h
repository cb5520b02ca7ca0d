/* --version: what this program is, and which optional parts it has. */
#ifndef ATTN_SHELL_VERSION_H
#define ATTN_SHELL_VERSION_H

#include "base/text.h"

extern const char version_number[];
void version_write(Text *text);

#endif
