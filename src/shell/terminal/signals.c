#include "shell/terminal/signals.h"

#include "base/interrupt.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/select.h>
#include <unistd.h>

/* Global, because a signal handler gets no context. */
static struct {
    const int *numbers;
    size_t count, interrupting;
    volatile sig_atomic_t raised[SIGNALS_MOST];
    struct sigaction before[SIGNALS_MOST];
} heard;
static int wake[2] = {-1, -1}; /* the pipe */

static void on_signal(int number) {
    int kept = errno;
    for (size_t i = 0; i < heard.count; i++) {
        if (heard.numbers[i] != number) continue;
        heard.raised[i] = 1;
        if (i < heard.interrupting) interrupt_flag = 1;
    }
    (void)!write(wake[1], "", 1); /* fails only if the pipe is full, which wakes as well */
    errno = kept;
}

static void close_pipe(void) {
    for (int i = 0; i < 2; i++) {
        if (wake[i] >= 0) close(wake[i]);
        wake[i] = -1;
    }
}

bool signals_begin(const int *numbers, size_t count, size_t interrupting) {
    struct sigaction action = {.sa_handler = on_signal};
    assert(count <= SIGNALS_MOST && wake[0] < 0);
    bool ok = pipe(wake) == 0;
    for (int i = 0; ok && i < 2; i++)
        ok = wake[i] < FD_SETSIZE && fcntl(wake[i], F_SETFD, FD_CLOEXEC) == 0 &&
             fcntl(wake[i], F_SETFL, O_NONBLOCK) == 0;
    if (!ok) {
        int why = errno;
        close_pipe();
        errno = why;
        return false;
    }
    sigemptyset(&action.sa_mask);
    heard.numbers = numbers;
    heard.count = count;
    heard.interrupting = interrupting;
    for (size_t i = 0; i < count; i++) {
        heard.raised[i] = 0;
        sigaction(numbers[i], &action, &heard.before[i]);
    }
    return true;
}

void signals_end(void) {
    for (size_t i = 0; i < heard.count; i++) sigaction(heard.numbers[i], &heard.before[i], NULL);
    close_pipe();
    for (size_t i = 0; i < heard.count; i++)
        if (heard.raised[i]) raise(heard.numbers[i]);
    heard.count = 0;
}

int signals_take(void) {
    for (size_t i = 0; i < heard.count; i++) {
        if (!heard.raised[i]) continue;
        heard.raised[i] = 0;
        return heard.numbers[i];
    }
    return 0;
}

bool signals_has_come(int number) {
    for (size_t i = 0; i < heard.count; i++)
        if (heard.numbers[i] == number) return heard.raised[i];
    return false;
}

void signals_stop(void) {
    struct sigaction ours;
    sigaction(SIGTSTP, &(struct sigaction){.sa_handler = SIG_DFL}, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
    for (size_t i = 0; i < heard.count; i++)
        if (heard.numbers[i] == SIGCONT) heard.raised[i] = 0; /* the caller knows that it goes on */
}

/* Waits by select: poll does not know terminals on macOS. */
bool signals_wait_for_key(int milliseconds) {
    struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
    int last = wake[0] > STDIN_FILENO ? wake[0] : STDIN_FILENO;
    fd_set ready;
    FD_ZERO(&ready);
    FD_SET(STDIN_FILENO, &ready);
    if (wake[0] >= 0) FD_SET(wake[0], &ready);
    if (select(last + 1, &ready, NULL, NULL, milliseconds < 0 ? NULL : &time) <= 0) return false;

    if (wake[0] >= 0 && FD_ISSET(wake[0], &ready)) {
        char bytes[64];
        while (read(wake[0], bytes, sizeof bytes) > 0) continue;
    }
    return FD_ISSET(STDIN_FILENO, &ready);
}
