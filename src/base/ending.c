#include "base/ending.h"

#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOTED = 4 };

/* Global, because the signal handler needs them. An entry is free while `there` is 0. */
static struct {
    char path[PATH_MAX];
    volatile sig_atomic_t there;
} files[NOTED];
static volatile pid_t groups[NOTED];        /* 0: free */
static void (*volatile first_call)(void);   /* NULL: none */
static volatile sig_atomic_t held, waiting; /* waiting: the signal's number; 0: none */

static void on_ending_signal(int number) {
    if (held) {
        waiting = number;
        return;
    }
    if (first_call) first_call();
    for (int i = 0; i < NOTED; i++)
        if (groups[i] > 0) kill(-groups[i], SIGKILL);
    /* Until it is gone, a child may still make the file that is removed here. */
    for (int i = 0; i < NOTED; i++)
        if (groups[i] > 0) waitpid(groups[i], NULL, 0);
    for (int i = 0; i < NOTED; i++)
        if (files[i].there) unlink(files[i].path);
    signal(number, SIG_DFL);
    raise(number);
}

void ending_install(void) {
    static const int numbers[] = {SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_handler = on_ending_signal}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sigaction(numbers[i], &action, &before);
        if (before.sa_handler == SIG_IGN) sigaction(numbers[i], &before, NULL);
    }
}

void ending_hold(void) { held = 1; }

void ending_let_go(void) {
    held = 0;
    if (waiting) on_ending_signal(waiting);
}

void ending_note_file(const char *path) {
    int i = 0;
    while (i < NOTED && files[i].there) i++;
    if (i == NOTED || strlen(path) >= sizeof files[i].path) return;
    strcpy(files[i].path, path);
    files[i].there = 1;
}

void ending_forget_file(const char *path) {
    for (int i = 0; i < NOTED; i++)
        if (files[i].there && strcmp(files[i].path, path) == 0) files[i].there = 0;
}

void ending_note_group(pid_t group) {
    int i = 0;
    while (i < NOTED && groups[i] != 0) i++;
    if (i < NOTED) groups[i] = group;
}

void ending_forget_group(pid_t group) {
    for (int i = 0; i < NOTED; i++)
        if (groups[i] == group) groups[i] = 0;
}

void ending_note_call(void (*function)(void)) { first_call = function; }
