/* What a C library does for a program, in the sandbox: built with each library there is (safe.py),
 * as each asks the system in its own way. Prints what failed, then "the end". */
#include "shell/options/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define EXPECT(what) ((what) ? (void)0 : (void)printf("failed: %s (%s)\n", #what, strerror(errno)))

static volatile sig_atomic_t heard;
static void hear(int number) { heard = number; }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count;

static void *work(void *ignored) {
    char *block = malloc(1 << 22);
    if (block) memset(block, 1, 1 << 22);
    pthread_mutex_lock(&lock);
    count += block != NULL;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    free(block);
    return ignored;
}

static void files(void) {
    char text[64] = "", cwd[4096];
    struct stat status;
    FILE *file = fopen("inside.csv", "r");
    EXPECT(file && fgets(text, sizeof text, file) && strcmp(text, "0.5\n") == 0);
    EXPECT(file && fseek(file, 0, SEEK_SET) == 0 && fclose(file) == 0);
    EXPECT(stat("inside.csv", &status) == 0 && lstat("there.csv", &status) == 0);
    EXPECT(access("inside.csv", R_OK) == 0 && access("none", R_OK) == -1 && errno == ENOENT);
    EXPECT(getcwd(cwd, sizeof cwd) && realpath("there.csv", NULL));
    DIR *folder = opendir(".");
    EXPECT(folder && readdir(folder) && closedir(folder) == 0);
    EXPECT(!fopen("new.csv", "w") && errno == EPERM);
    EXPECT(!popen("true", "r"));
    EXPECT(system("true") != 0);
}

static void waiting(void) {
    int ends[2];
    char byte;
    EXPECT(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
    struct pollfd asked = {.fd = ends[0], .events = POLLIN};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    struct timeval little = {0, 1000};
    struct timespec moment = {0, 1000}, now;
    EXPECT(poll(&asked, 1, 1000) == 1 && select(ends[0] + 1, &set, NULL, NULL, &little) == 1);
    EXPECT(read(ends[0], &byte, 1) == 1 && dup2(ends[0], ends[1]) == ends[1]);
    EXPECT(nanosleep(&moment, NULL) == 0 && clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    EXPECT(time(NULL) > 0 && clock() != -1 && usleep(10) == 0);
}

static void signals_and_threads(void) {
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    struct sigaction action = {.sa_handler = hear};
    EXPECT(sigaction(SIGUSR1, &action, NULL) == 0);
    EXPECT(raise(SIGUSR1) == 0 && heard == SIGUSR1);
    heard = 0;
    EXPECT(kill(getpid(), SIGUSR1) == 0 && heard == SIGUSR1);
    heard = 0;
    EXPECT(pthread_kill(pthread_self(), SIGUSR1) == 0 && heard == SIGUSR1);
    EXPECT(kill(getppid(), 0) == -1 && errno == EPERM);
    EXPECT(fork() == -1);
    for (int i = 0; i < THREADS; i++) EXPECT(pthread_create(&threads[i], NULL, work, NULL) == 0);
    pthread_mutex_lock(&lock);
    while (count < THREADS) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++) EXPECT(pthread_join(threads[i], NULL) == 0);
    EXPECT(sysconf(_SC_NPROCESSORS_ONLN) > 0 && sysconf(_SC_PHYS_PAGES) > 0);
}

int main(void) {
    struct termios settings;
    sandbox_enter((const char *const[]){".", "/sys/devices/system/cpu", NULL});
    if (!strstr(sandbox_words(), "seccomp")) puts("no filter");
    files();
    waiting();
    signals_and_threads();
    EXPECT(tcgetattr(0, &settings) == 0 ? isatty(0) : errno == ENOTTY || errno == ENODEV);
    void *large = malloc(1 << 26);
    large = large ? realloc(large, 1 << 27) : NULL;
    EXPECT(large);
    free(large);
    puts("the end");
    return 0;
}
