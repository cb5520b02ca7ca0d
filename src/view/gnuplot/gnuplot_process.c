#include "view/gnuplot/gnuplot_process.h"

#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { LOOK_MS = 50, QUIT_MS = 500, KEPT = 16384 };

/* ---- starting ---- */

static void close_end(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

/* A pipe whose ends are above the standard three, so that moving them there
 * never closes one that is still wanted, and that no other child inherits. */
static bool open_pipe(int ends[2]) {
    int raw[2];
    ends[0] = ends[1] = -1;
    if (pipe(raw) != 0) return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(raw[i]);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

typedef struct Pipes {
    int input[2], output[2], errors[2];
} Pipes;

static void pipes_close(Pipes *pipes) {
    for (int i = 0; i < 2; i++) {
        close_end(&pipes->input[i]);
        close_end(&pipes->output[i]);
        close_end(&pipes->errors[i]);
    }
}

static bool pipes_open(Pipes *pipes) {
    *pipes = (Pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    return open_pipe(pipes->input) && open_pipe(pipes->output) && open_pipe(pipes->errors);
}

/* A group of its own: Ctrl-C at the terminal is not for it, and it can be ended
 * with all that it started. SIGPIPE, which we ignore while writing, is its own again. */
static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t restored, none;
    sigemptyset(&restored);
    sigaddset(&restored, SIGPIPE);
    sigaddset(&restored, SIGINT);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(attributes, &restored);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setpgroup(attributes, 0);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                    POSIX_SPAWN_SETSIGMASK);
}

static int connect_pipes(posix_spawn_file_actions_t *actions, const Pipes *pipes) {
    int code = posix_spawn_file_actions_adddup2(actions, pipes->input[0], STDIN_FILENO);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(actions, pipes->output[1], STDOUT_FILENO);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(actions, pipes->errors[1], STDERR_FILENO);
    return code;
}

/* 0 or an errno. */
static int spawn(pid_t *pid, const char *program, const Pipes *pipes) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    char name[] = "gnuplot", option[] = "-d";
    char *const arguments[] = {name, option, NULL};
    int code = posix_spawnattr_init(&attributes);
    if (code != 0) return code;
    code = posix_spawn_file_actions_init(&actions);
    if (code == 0) {
        code = set_attributes(&attributes);
        if (code == 0) code = connect_pipes(&actions, pipes);
        if (code == 0) code = posix_spawnp(pid, program, &actions, &attributes, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return code;
}

static bool start_error(const char *program, int code, Error *err) {
    if (code == ENOENT && strcmp(program, "gnuplot") == 0)
        error_set(err, ERR_PLOT, "gnuplot is not installed");
    else if (code == ENOENT)
        error_set(err, ERR_PLOT, "gnuplot is not installed: there is no program %s", program);
    else error_set(err, ERR_PLOT, "gnuplot cannot be started: %s: %s", program, strerror(code));
    return error_hint(err, "install it (apt install gnuplot-nox, dnf install gnuplot, brew install "
                           "gnuplot); files that end in .txt, .csv or .gp need none");
}

static void stop_waiting(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

bool gnuplot_process_start(GnuplotProcess *process, const char *program, Error *err) {
    Pipes pipes;
    pid_t pid = 0;
    int code = pipes_open(&pipes) ? spawn(&pid, program, &pipes) : errno;
    if (code != 0) {
        pipes_close(&pipes);
        return start_error(program, code, err);
    }
    *process = (GnuplotProcess){pid, pipes.input[1], pipes.output[0], pipes.errors[0]};
    pipes.input[1] = pipes.output[0] = pipes.errors[0] = -1;
    pipes_close(&pipes);
    stop_waiting(process->input);
    stop_waiting(process->output);
    stop_waiting(process->errors);
    return true;
}

/* ---- ending ---- */

static void forget(GnuplotProcess *process) {
    close_end(&process->input);
    close_end(&process->output);
    close_end(&process->errors);
    process->pid = 0;
}

bool gnuplot_process_gone(GnuplotProcess *process) {
    if (process->pid == 0) return true;
    pid_t ended = waitpid(process->pid, NULL, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
    forget(process);
    return true;
}

void gnuplot_process_kill(GnuplotProcess *process) {
    if (process->pid == 0) return;
    kill(-process->pid, SIGKILL);
    while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) {}
    forget(process);
}

void gnuplot_process_quit(GnuplotProcess *process) {
    if (process->pid == 0) return;
    close_end(&process->input); /* the end of its input: it leaves */
    for (int waited = 0; waited < QUIT_MS; waited += 5) {
        if (gnuplot_process_gone(process)) return;
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    gnuplot_process_kill(process);
}

/* ---- talking ---- */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Only the end of it is of interest: a complaint, the token. */
static void keep_the_end(Text *text) {
    if (text->failed || text->length <= 2 * KEPT) return;
    memmove(text->data, text->data + text->length - KEPT, KEPT + 1);
    text->length = KEPT;
}

/* False at the end of the output. */
static bool drain(int *fd, Text *text) {
    char buffer[4096];
    ssize_t got = read(*fd, buffer, sizeof buffer);
    if (got > 0) {
        for (ssize_t i = 0; i < got; i++)
            buffer[i] = buffer[i] ? buffer[i] : ' '; /* searched as a string */
        text_bytes(text, buffer, (size_t)got);
        keep_the_end(text);
    }
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static bool feed(GnuplotProcess *process, const char *bytes, size_t length, size_t *sent) {
    ssize_t written = write(process->input, bytes + *sent, length - *sent);
    if (written > 0) *sent += (size_t)written;
    return written >= 0 || errno == EAGAIN || errno == EINTR;
}

/* One round of waiting, writing and reading. False when a pipe is closed at the other end. */
static bool exchange_some(GnuplotProcess *process, const char *bytes, size_t length, size_t *sent,
                          int timeout, Text *output, Text *errors) {
    struct pollfd ends[3] = {
        {process->output, POLLIN, 0}, {process->errors, POLLIN, 0}, {process->input, POLLOUT, 0}};
    int ready = poll(ends, *sent < length ? 3 : 2, timeout);
    if (ready <= 0) return ready == 0 || errno == EINTR;
    bool alive = true;
    if (ends[0].revents) alive = drain(&process->output, output);
    if (ends[1].revents) alive = drain(&process->errors, errors) && alive;
    if (alive && ends[2].revents) alive = feed(process, bytes, length, sent);
    return alive;
}

static Exchange exchange(GnuplotProcess *process, const char *bytes, size_t length,
                         const char *token, double seconds, Text *output, Text *errors) {
    double end = now() + seconds;
    size_t sent = 0;
    for (;;) {
        double left = end - now();
        int timeout = left <= 0 ? 0 : left * 1000 < LOOK_MS ? (int)(left * 1000) + 1 : LOOK_MS;
        bool alive = exchange_some(process, bytes, length, &sent, timeout, output, errors);
        if (output->failed || errors->failed) return EXCHANGE_BROKEN;
        if (sent == length && strstr(output->data, token)) return EXCHANGE_DONE;
        if (interrupt_flag) return EXCHANGE_INTERRUPTED;
        if (!alive) return EXCHANGE_DIED;
        if (left <= 0) return EXCHANGE_LATE;
    }
}

Exchange gnuplot_process_exchange(GnuplotProcess *process, const char *bytes, size_t length,
                                  const char *token, double seconds, Text *output, Text *errors) {
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    Exchange result = exchange(process, bytes, length, token, seconds, output, errors);
    sigaction(SIGPIPE, &before, NULL);
    return result;
}
