/* Keeping old values; what the callers of lang see of it is in interp.h. */
#ifndef ATTN_LANG_JOURNAL_H
#define ATTN_LANG_JOURNAL_H

#include "lang/interp.h"

/* Keeps the symbol's value as it was before this entry; to be called before each change. */
bool journal_keep(Interp *interp, Symbol *symbol, Error *err);

#endif
