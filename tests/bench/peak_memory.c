/* Runs a program and prints its peak memory in MiB. Small itself: what a child
 * reports never lies below what its parent held when it was made. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct rusage usage;
    int status;
    if (argc < 2) return EXIT_FAILURE;
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        if (null >= 0) dup2(null, STDOUT_FILENO);
        execv(argv[1], argv + 1);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0 ||
        getrusage(RUSAGE_CHILDREN, &usage) != 0)
        return EXIT_FAILURE;
#ifdef __APPLE__
    printf("%.2f\n", (double)usage.ru_maxrss / 1048576);
#else
    printf("%.2f\n", (double)usage.ru_maxrss / 1024);
#endif
    return EXIT_SUCCESS;
}
