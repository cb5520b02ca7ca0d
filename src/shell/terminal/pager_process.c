#include "shell/terminal/pager_process.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;

enum { LOOK_MS = 20, END_MS = 60, ADDED_MOST = 2 };

/* ---- starting ---- */

/* Our variables, and those of the added ones that ours lack; NULL at the end. Free the array. NULL:
 * there is no memory. */
static char **child_environment(char *const added[ADDED_MOST + 1]) {
    size_t count = 0;
    while (environ[count]) count++;
    char **all = mem_alloc((count + ADDED_MOST + 1) * sizeof *all, NULL);
    if (!all) return NULL;
    memcpy(all, environ, count * sizeof *all);
    for (; *added; added++) {
        size_t name = strcspn(*added, "=");
        char **same = environ;
        while (*same && strncmp(*same, *added, name + 1) != 0) same++;
        if (!*same) all[count++] = *added;
    }
    all[count] = NULL;
    return all;
}

/* Ours are caught or ignored; a program begins with its own. */
static int set_attributes(posix_spawnattr_t *attributes) {
    static const int numbers[] = {SIGINT,  SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP,
                                  SIGTTIN, SIGTTOU, SIGCHLD, SIGHUP};
    sigset_t restored, none;
    sigemptyset(&restored);
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaddset(&restored, numbers[i]);
    posix_spawnattr_setsigdefault(attributes, &restored);
    posix_spawnattr_setsigmask(attributes, &none);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

/* 0 or an errno. */
static int spawn(pid_t *pid, char *const *arguments, char *const *variables, int input) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int code = posix_spawnattr_init(&attributes);
    if (code != 0) return code;
    code = posix_spawn_file_actions_init(&actions);
    if (code == 0) {
        code = set_attributes(&attributes);
        if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        if (code == 0)
            code = posix_spawnp(pid, arguments[0], &actions, &attributes, arguments, variables);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return code;
}

/* One program and its options: the shell can become it, so that the process we know is the pager
 * itself. */
static bool is_plain(const char *command) { return !command[strcspn(command, "|&;<>()`={}\n")]; }

/* False: it could not be started. less comes without a shell, which would complain where there is
 * none. */
static bool start(pid_t *pid, const char *command, int input, bool utf8) {
    Text line;
    char options[] = "LESS=FRX", charset[] = "LESSCHARSET=utf-8", shell[] = "sh", code[] = "-c",
         less[] = "less";
    char *added[ADDED_MOST + 1] = {options, utf8 ? charset : NULL, NULL};
    text_init(&line);
    text_format(&line, "%s%s", is_plain(command) ? "exec " : "", command);
    char *by_shell[] = {shell, code, line.data, NULL}, *alone[] = {less, NULL};
    char **variables = line.failed ? NULL : child_environment(added);
    bool ok = variables &&
              spawn(pid, strcmp(command, less) == 0 ? alone : by_shell, variables, input) == 0;
    mem_free(variables);
    text_release(&line);
    return ok;
}

/* ---- while it runs ---- */

typedef struct Pager {
    pid_t pid;
    int input; /* what we feed; -1: all is sent, or it reads no more */
    int status;
    bool ended;
} Pager;

static void close_input(Pager *pager) {
    if (pager->input >= 0) close(pager->input);
    pager->input = -1;
}

static void look(Pager *pager) {
    if (pager->ended) return;
    pid_t pid = waitpid(pager->pid, &pager->status, WNOHANG);
    pager->ended = pid == pager->pid || (pid < 0 && errno != EINTR);
}

/* Sends what it takes now, or waits a moment. */
static void feed(Pager *pager, const char *text, size_t length, size_t *sent) {
    struct pollfd wanted = {pager->input, POLLOUT, 0};
    if (poll(&wanted, pager->input >= 0 ? 1 : 0, LOOK_MS) <= 0) return;
    ssize_t written = write(pager->input, text + *sent, length - *sent);
    if (written > 0) *sent += (size_t)written;
    bool refused = written < 0 && errno != EAGAIN && errno != EINTR;
    if (refused || *sent == length) close_input(pager);
}

/* Until it has ended, or the time is over. */
static void wait_for_end(Pager *pager, int milliseconds) {
    for (int waited = 0; look(pager), !pager->ended && waited < milliseconds; waited += 2)
        poll(NULL, 0, 2);
}

static void end(Pager *pager) {
    close_input(pager);
    kill(pager->pid, SIGTERM);
    wait_for_end(pager, END_MS);
    if (pager->ended) return;
    kill(pager->pid, SIGKILL);
    while (!pager->ended) wait_for_end(pager, END_MS);
}

/* Where the terminal shows what is typed, a ^C stands in the line now. */
static void leave_line_of_key(void) {
    struct termios now;
    if (tcgetattr(STDIN_FILENO, &now) != 0 || !(now.c_lflag & ECHO)) return;
    if (write(STDOUT_FILENO, "\n", 1) < 0) return; /* the prompt that follows will find out */
}

/* The terminal drops what was on its way when Ctrl-C came, be it half an escape sequence; the other
 * half stands in the line. */
static void clear_line(void) {
    static const char erase[] = "\r\x1b[K";
    if (write(STDOUT_FILENO, erase, sizeof erase - 1) < 0) return; /* as above */
}

/* A line of several programs is not one that we could end whole: it hears of Ctrl-C itself, and is
 * left only when asked twice. */
static void run(Pager *pager, const char *text, size_t length, bool plain) {
    size_t sent = 0;
    int times = 0;
    for (look(pager); !pager->ended; look(pager)) {
        if (interrupt_flag) times++, interrupt_flag = 0, leave_line_of_key();
        if (times > (plain ? 0 : 1)) end(pager);
        else feed(pager, text, length, &sent);
    }
    close_input(pager);
    if (times) interrupt_flag = 1;
}

/* ---- the pipe and the terminal ---- */

/* Ends that no other child inherits, above the standard three. */
static bool open_pipe(int ends[2]) {
    int raw[2];
    ends[0] = ends[1] = -1;
    if (pipe(raw) != 0) return false;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(raw[i]);
    }
    if (ends[0] >= 0 && ends[1] >= 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0) return true;
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
    return false;
}

/* What a shell answers for a program that is not there or is none. */
static bool was_refused(int status) {
    return WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127);
}

bool pager_process_run(const char *command, const char *text, size_t length, bool utf8) {
    int ends[2];
    struct termios before;
    Pager pager = {.input = -1};
    if (!open_pipe(ends)) return false;
    bool terminal = tcgetattr(STDIN_FILENO, &before) == 0,
         started = start(&pager.pid, command, ends[0], utf8);
    close(ends[0]);
    pager.input = ends[1];
    if (started) run(&pager, text, length, is_plain(command));
    close_input(&pager);
    if (terminal) tcsetattr(STDIN_FILENO, TCSANOW, &before);
    if (interrupt_flag) clear_line();
    return started && !was_refused(pager.status);
}
