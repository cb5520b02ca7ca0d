/* For harnesses that run code: a host that shows nothing, and bounds on memory and time. Past its
 * time, which is that of the processor, what runs is interrupted as by Ctrl-C. SIGALRM is left to
 * libFuzzer, whose -timeout finds what goes on all the same. */
#ifndef ATTN_TESTS_FUZZ_SILENT_H
#define ATTN_TESTS_FUZZ_SILENT_H

#include "base/host.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include <signal.h>
#include <sys/time.h>

static inline void raise_flag(int number) {
    (void)number;
    interrupt_flag = 1;
}

/* The flag may be taken for what ran until then: it is raised again and again. */
static inline void begin_limits(void) {
    enum { MEMORY_LIMIT = 256 << 20 };
    const struct itimerval timer = {.it_value = {.tv_sec = 1}, .it_interval = {.tv_usec = 4000}};
    mem_set_limit(MEMORY_LIMIT);
    signal(SIGPROF, raise_flag);
    setitimer(ITIMER_PROF, &timer, NULL);
}

static inline void end_limits(void) {
    setitimer(ITIMER_PROF, &(const struct itimerval){.it_value = {.tv_sec = 0}}, NULL);
    interrupt_flag = 0;
}

static inline bool swallow(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length, (void)err;
    return true;
}

static inline void ignore_note(Host *host, const char *text) { (void)host, (void)text; }

static inline Host silent_host(void) {
    return (Host){.write = swallow, .note = ignore_note, .columns = 60, .rows = 12, .utf8 = true};
}

#endif
