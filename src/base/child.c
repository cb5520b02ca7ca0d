#include "base/child.h"

#include "base/ending.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { OUTPUT_KEPT = 16384, WAIT_STEP_MS = 2 };

/* ---- starting ---- */

static void close_end(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static void close_pipes(Child *child) {
    close_end(&child->input);
    close_end(&child->output);
    close_end(&child->errors);
}

/* A pipe whose ends are above the standard three, so that moving them there never closes one that
 * is still wanted, and that no other child inherits. Our end, `ours`, never makes us wait. */
static bool open_pipe(int ends[2], int ours) {
    int raw[2];
    if (pipe(raw) != 0) return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(raw[i]);
    }
    return ends[0] >= 0 && ends[1] >= 0 && fcntl(ends[ours], F_SETFL, O_NONBLOCK) == 0;
}

/* Our environment with those of the `added` variables that it lacks. The array is new; its strings
 * are borrowed. NULL without memory. */
static char **environment_with(const char *const *added) {
    size_t count = 0, more = 0;
    while (environ[count]) count++;
    while (added[more]) more++;
    char **all = mem_alloc((count + more + 1) * sizeof *all, NULL);
    if (!all) return NULL;
    memcpy(all, environ, count * sizeof *all);
    for (; *added; added++) {
        size_t name = strcspn(*added, "=") + 1;
        char **same = environ;
        while (*same && strncmp(*same, *added, name) != 0) same++;
        if (!*same) all[count++] = (char *)*added;
    }
    all[count] = NULL;
    return all;
}

/* Signals that we catch or ignore act on the child as usual. */
static int set_attributes(posix_spawnattr_t *attributes, bool own_group) {
    static const int usual[] = {SIGINT,  SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ,
                                SIGTSTP, SIGTTIN, SIGTTOU, SIGCHLD, SIGHUP};
    sigset_t restored, none;
    sigemptyset(&restored);
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) sigaddset(&restored, usual[i]);
    posix_spawnattr_setsigdefault(attributes, &restored);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setpgroup(attributes, 0);
    return posix_spawnattr_setflags(attributes,
                                    (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                            (own_group ? POSIX_SPAWN_SETPGROUP : 0)));
}

/* theirs: its standard input, output and errors; -1: as ours. Returns 0 or an errno. */
static int spawn(Child *child, const char *const *arguments, char *const *variables,
                 const int theirs[3]) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int code = posix_spawnattr_init(&attributes);
    if (code != 0) return code;
    code = posix_spawn_file_actions_init(&actions);
    if (code == 0) {
        code = set_attributes(&attributes, child->own_group);
        for (int fd = 0; fd < 3 && code == 0; fd++)
            if (theirs[fd] >= 0) code = posix_spawn_file_actions_adddup2(&actions, theirs[fd], fd);
        if (code == 0)
            code = posix_spawnp(&child->pid, arguments[0], &actions, &attributes,
                                (char *const *)arguments, variables); /* it changes none */
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return code;
}

static bool is_executable_in(const char *folder, size_t length, const char *program) {
    char path[4096];
    int written =
        snprintf(path, sizeof path, "%.*s%s%s", (int)length, folder, length ? "/" : "", program);
    return written > 0 && (size_t)written < sizeof path && access(path, X_OK) == 0;
}

bool child_program_exists(const char *program) {
    const char *folder = getenv("PATH");
    if (strchr(program, '/')) return is_executable_in("", 0, program);
    for (; folder; folder = strchr(folder, ':'), folder += folder != NULL)
        if (is_executable_in(folder, strcspn(folder, ":"), program)) return true;
    return false;
}

int child_start(Child *child, const char *const *arguments, const char *const *variables,
                bool shares_terminal) {
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}}; /* input, output, errors; [1] is written to */
    char **environment = variables ? environment_with(variables) : environ;
    int code = environment ? 0 : ENOMEM;
    *child = (Child){.own_group = !shares_terminal};
    for (int i = 0; i < (shares_terminal ? 1 : 3) && code == 0; i++)
        if (!open_pipe(pipes[i], i == 0 ? 1 : 0)) code = errno;
    if (code == 0) {
        const int theirs[3] = {pipes[0][0], pipes[1][1], pipes[2][1]};
        ending_hold();
        code = spawn(child, arguments, environment, theirs);
        if (code == 0 && child->own_group) ending_note_group(child->pid);
        ending_let_go();
    }
    if (variables) mem_free(environment);
    close_end(&pipes[0][0]);
    close_end(&pipes[1][1]);
    close_end(&pipes[2][1]);
    child->input = pipes[0][1];
    child->output = pipes[1][0];
    child->errors = pipes[2][0];
    if (code != 0) {
        child->pid = 0;
        close_pipes(child);
    }
    return code;
}

/* ---- talking ---- */

/* Appends some of what the child has written; returns what read does. */
static ssize_t read_some(int fd, Text *text) {
    char buffer[4096];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got <= 0) return got;
    for (ssize_t i = 0; i < got; i++)
        if (!buffer[i]) buffer[i] = ' ';
    text_bytes(text, buffer, (size_t)got);
    if (!text->failed && text->length > 2 * OUTPUT_KEPT) {
        memmove(text->data, text->data + text->length - OUTPUT_KEPT, OUTPUT_KEPT + 1);
        text->length = OUTPUT_KEPT;
    }
    return got;
}

static bool must_wait(ssize_t result) { return result < 0 && (errno == EAGAIN || errno == EINTR); }

bool child_exchange(Child *child, ChildInput *input, int milliseconds, Text *output, Text *errors) {
    int writes_to = input->sent < input->length ? child->input : -1;
    /* poll passes over negative descriptors. */
    struct pollfd ends[3] = {
        {child->output, POLLIN, 0}, {child->errors, POLLIN, 0}, {writes_to, POLLOUT, 0}};
    int ready = poll(ends, 3, milliseconds);
    if (ready <= 0) return ready == 0 || errno == EINTR;
    bool open = true;
    Text *texts[2] = {output, errors};
    for (int i = 0; i < 2; i++) {
        if (!ends[i].revents) continue;
        ssize_t got = read_some(ends[i].fd, texts[i]);
        open = open && (got > 0 || must_wait(got));
    }
    /* One end is closed, as all are when it ends: what it said last still lies in the pipes. */
    for (int i = 0; i < 2 && !open; i++)
        while (read_some(ends[i].fd, texts[i]) > 0) continue;
    if (!ends[2].revents || !open) return open;

    /* Writing to a child that no longer reads raises SIGPIPE. */
    struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignored, &before);
    ssize_t written = write(child->input, input->bytes + input->sent, input->length - input->sent);
    open = written >= 0 || must_wait(written);
    sigaction(SIGPIPE, &before, NULL);
    if (written > 0) input->sent += (size_t)written;
    return open;
}

/* ---- ending ---- */

void child_close_input(Child *child) {
    if (child->pid > 0) close_end(&child->input);
}

bool child_wait(Child *child, int milliseconds) {
    for (int waited = 0; child->pid != 0; waited += WAIT_STEP_MS) {
        pid_t ended = waitpid(child->pid, &child->status, WNOHANG);
        if (ended > 0 || (ended < 0 && errno != EINTR)) {
            ending_forget_group(child->pid);
            child->pid = 0;
            close_pipes(child);
            return true;
        }
        if (waited >= milliseconds) return false;
        poll(NULL, 0, WAIT_STEP_MS);
    }
    return true;
}

void child_signal(const Child *child, int signal) {
    if (child->pid > 0) kill(child->own_group ? -child->pid : child->pid, signal);
}

void child_kill(Child *child) {
    child_signal(child, SIGKILL);
    while (!child_wait(child, 1000)) continue;
}
