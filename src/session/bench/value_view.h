/* Values as they are shown at a prompt: as print writes them, and fitted to the terminal. */
#ifndef ATTN_SESSION_VALUE_VIEW_H
#define ATTN_SESSION_VALUE_VIEW_H

#include "base/host.h"
#include "lang/value.h"

/* Appends the value and a newline; where something was left out, what that was. */
void value_view(Text *out, const Value *value, const Host *host, int digits);

#endif
