/* Ctrl-C. A signal handler raises the flag; loops poll it: the evaluator at
 * every statement and iteration, kernels every few hundred microseconds. */
#ifndef ATTN_BASE_INTERRUPT_H
#define ATTN_BASE_INTERRUPT_H

#include "base/forward.h"

#include <signal.h>

extern volatile sig_atomic_t interrupt_flag;

/* Sets ERR_INTERRUPT. Returns false always. */
bool interrupt_error(Error *err);

/* True, with ERR_INTERRUPT, when the flag is up; the flag stays up until the
 * shell takes it down. */
static inline bool interrupted(Error *err) { return interrupt_flag && !interrupt_error(err); }

#endif
