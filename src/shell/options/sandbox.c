#define _GNU_SOURCE /* for O_PATH and syscall */
#include "shell/options/sandbox.h"

#include <stddef.h>

/* ATTN_NO_SANDBOX: sanitizers start a process of their own as the program ends, and coverage writes
 * what was run. */
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && \
    defined(__has_include) && !defined(ATTN_NO_SANDBOX)
#if __has_include(<linux/landlock.h>) && __has_include(<linux/seccomp.h>)
#define HAS_SANDBOX 1
#endif
#endif

#ifdef HAS_SANDBOX

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Landlock: what is read ---- */

/* Its numbers, for headers that are older than the kernel. */
enum { ALL_OF_VERSION_1 = (1 << 13) - 1, REFER = 1 << 13, TRUNCATE = 1 << 14 };

/* 0: this kernel has none. */
static int landlock_version(void) {
    long version = syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static bool restrict_files(const char *const *readable) {
    int version = landlock_version();
    struct landlock_ruleset_attr handled = {.handled_access_fs = ALL_OF_VERSION_1};
    if (version == 0) return false;
    if (version >= 2) handled.handled_access_fs |= REFER;
    if (version >= 3) handled.handled_access_fs |= TRUNCATE;
    int rules =
        (int)syscall(__NR_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0);
    if (rules < 0) return false;
    for (; *readable; readable++) {
        struct stat status;
        int fd = open(*readable, O_PATH | O_CLOEXEC);
        if (fd < 0) continue;
        struct landlock_path_beneath_attr below = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
                                                   .parent_fd = fd};
        if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
            below.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
        syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0);
        close(fd);
    }
    bool restricted = syscall(__NR_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return restricted;
}

/* ---- seccomp: what the system is asked for ---- */

#ifdef __x86_64__
#define OUR_MACHINE AUDIT_ARCH_X86_64
#else
#define OUR_MACHINE AUDIT_ARCH_AARCH64
#endif

/* Newer than some headers; the same on every machine. */
enum { FCHMODAT2 = 452, SETXATTRAT = 463, REMOVEXATTRAT = 466 };

/* Calls that are not in these lists are answered with "there is no such call", ENOSYS, as by an
 * older kernel: the C library then uses one that is. Calls with ifdef are not on every machine,
 * which has the newer one of each alone. */
/* clang-format off */

/* Calls for reading and waiting, memory and threads of the program's own. */
static const uint32_t allowed[] = {
    __NR_read, __NR_write, __NR_futex, __NR_readv, __NR_writev, __NR_pread64, __NR_lseek,
    __NR_close, __NR_fstat, __NR_newfstatat, __NR_statx, __NR_faccessat, __NR_faccessat2,
    __NR_readlinkat, __NR_getdents64, __NR_getcwd, __NR_dup, __NR_dup3, __NR_pipe2,
    __NR_fadvise64, __NR_ppoll, __NR_pselect6,
    __NR_brk, __NR_mmap, __NR_munmap, __NR_mremap, __NR_mprotect, __NR_madvise, __NR_membarrier,
    __NR_set_tid_address, __NR_set_robust_list, __NR_rseq, __NR_gettid, __NR_getpid, __NR_getppid,
    __NR_getpgid, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid, __NR_sched_yield,
    __NR_sched_getaffinity, __NR_sched_getparam, __NR_sched_getscheduler, __NR_getcpu,
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_rt_sigsuspend,
    __NR_rt_sigtimedwait, __NR_sigaltstack, __NR_restart_syscall,
    __NR_clock_gettime, __NR_clock_getres, __NR_clock_nanosleep, __NR_nanosleep,
    __NR_gettimeofday, __NR_getrusage, __NR_sysinfo, __NR_uname, __NR_getrandom, __NR_exit,
    __NR_exit_group,
#ifdef __NR_stat
    __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_getdents, __NR_dup2, __NR_pipe,
    __NR_poll, __NR_select, __NR_pause, __NR_getpgrp, __NR_time, __NR_arch_prctl, __NR_getrlimit,
#endif
};

/* Calls that change files, start programs, talk to others or look into them. */
static const uint32_t refused[] = {
    __NR_execve, __NR_execveat, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev,
    __NR_process_madvise, __NR_pidfd_open, __NR_pidfd_getfd, __NR_pidfd_send_signal,
    __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_prctl, __NR_seccomp, __NR_bpf,
    __NR_perf_event_open, __NR_io_uring_setup, __NR_userfaultfd, __NR_add_key, __NR_request_key,
    __NR_keyctl, __NR_socket, __NR_socketpair, __NR_connect, __NR_bind, __NR_listen, __NR_accept,
    __NR_accept4, __NR_sendto, __NR_sendmsg, __NR_recvfrom, __NR_recvmsg, __NR_shmget, __NR_shmat,
    __NR_mq_open, __NR_mq_unlink, __NR_memfd_create, __NR_mount, __NR_umount2, __NR_pivot_root,
    __NR_chroot, __NR_setns, __NR_unshare, __NR_openat2, __NR_open_by_handle_at, __NR_unlinkat,
    __NR_renameat, __NR_renameat2, __NR_mkdirat, __NR_linkat, __NR_symlinkat, __NR_mknodat,
    __NR_fchmod, __NR_fchmodat, FCHMODAT2, __NR_fchown, __NR_fchownat, __NR_truncate,
    __NR_ftruncate, __NR_fallocate, __NR_utimensat, __NR_setxattr, __NR_lsetxattr, __NR_fsetxattr,
    SETXATTRAT, __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, REMOVEXATTRAT,
#ifdef __NR_fork
    __NR_fork, __NR_vfork, __NR_unlink, __NR_rename, __NR_mkdir, __NR_rmdir, __NR_link,
    __NR_symlink, __NR_mknod, __NR_chmod, __NR_chown, __NR_lchown, __NR_creat, __NR_utime,
    __NR_utimes, __NR_futimesat,
#endif
};

/* Requests to a terminal: its settings (also by the calls of newer C libraries, TCGETS2 and the
 * like), its size, who owns it, what waits in it. Nothing types into it (TIOCSTI, TIOCLINUX),
 * changes its keys or the console. */
static const uint32_t terminal_requests[] = {
    TCGETS, TCSETS, TCSETSW, TCSETSF, 0x802c542a, 0x402c542b, 0x402c542c, 0x402c542d,
    TIOCGWINSZ, TIOCGPGRP, TIOCGSID, FIONREAD, TIOCOUTQ, TCSBRK, TCSBRKP, TCXONC, TCFLSH,
};
/* F_SETOWN and F_SETSIG would send signals to other processes. */
static const uint32_t descriptor_requests[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL,
};
/* clang-format on */

#define COUNT(list) (sizeof list / sizeof *list)
enum { FILTER_MOST = 2 * (COUNT(allowed) + COUNT(refused)) + 120 };
enum { WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND };

#define AT(member) offsetof(struct seccomp_data, member)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define EQUALS(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define HAS_BITS(bits, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, then, otherwise)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE(code) RETURN(SECCOMP_RET_ERRNO | (code))
#define ALLOW RETURN(SECCOMP_RET_ALLOW)
/* The machines here are little-endian: the low half of an argument comes first. The kernel reads no
 * more of the arguments that are looked at here. */
#define LOAD_ARGUMENT(i) LOAD((uint32_t)(AT(args) + (size_t)(i) * sizeof(uint64_t)))

typedef struct Filter {
    struct sock_filter lines[FILTER_MOST];
    unsigned short count;
} Filter;

static void add(Filter *filter, struct sock_filter line) { filter->lines[filter->count++] = line; }

static void answer_calls(Filter *filter, const uint32_t *calls, size_t count,
                         struct sock_filter answer) {
    for (size_t i = 0; i < count; i++) {
        add(filter, (struct sock_filter)EQUALS(calls[i], 0, 1));
        add(filter, answer);
    }
}

/* Refuses a call whose argument has one of these bits (or, where `needed`, has not). */
static void refuse_bits(Filter *filter, uint32_t call, int argument, uint32_t bits, bool needed) {
    add(filter, (struct sock_filter)EQUALS(call, 0, 4));
    add(filter, (struct sock_filter)LOAD_ARGUMENT(argument));
    add(filter, (struct sock_filter)HAS_BITS(bits, needed, !needed));
    add(filter, (struct sock_filter)REFUSE(EPERM));
    add(filter, (struct sock_filter)ALLOW);
}

/* Refuses a call whose argument is none of these values. */
static void allow_values(Filter *filter, uint32_t call, int argument, const uint32_t *values,
                         size_t count) {
    add(filter, (struct sock_filter)EQUALS(call, 0, (uint8_t)(2 * count + 2)));
    add(filter, (struct sock_filter)LOAD_ARGUMENT(argument));
    answer_calls(filter, values, count, (struct sock_filter)ALLOW);
    add(filter, (struct sock_filter)REFUSE(EPERM));
}

static bool has_seccomp(void) {
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

static bool restrict_calls(void) {
    const uint32_t self[] = {(uint32_t)getpid(), 0};
    Filter filter;
    filter.count = 0;
    add(&filter, (struct sock_filter)LOAD(AT(arch)));
    add(&filter, (struct sock_filter)EQUALS(OUR_MACHINE, 1, 0));
    add(&filter, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
    add(&filter, (struct sock_filter)LOAD(AT(nr)));
#ifdef __x86_64__
    refuse_bits(&filter, __NR_open, 1, WRITES, false);
#endif
    refuse_bits(&filter, __NR_openat, 2, WRITES, false);
    /* Threads, but no processes. clone3 has its flags in memory, where a filter does not see them:
     * it is in no list, and without it the C library uses clone. */
    refuse_bits(&filter, __NR_clone, 0, CLONE_THREAD, true);
    allow_values(&filter, __NR_ioctl, 1, terminal_requests, COUNT(terminal_requests));
    allow_values(&filter, __NR_fcntl, 1, descriptor_requests, COUNT(descriptor_requests));
    /* Signals to the program itself: Ctrl-Z, abort. musl's raise knows a thread alone, which is the
     * first one here. 0 is the caller for prlimit64, but for kill a whole group of processes. */
    allow_values(&filter, __NR_kill, 0, self, 1);
    allow_values(&filter, __NR_tgkill, 0, self, 1);
    allow_values(&filter, __NR_tkill, 0, self, 1);
    allow_values(&filter, __NR_prlimit64, 0, self, 2);
    answer_calls(&filter, allowed, COUNT(allowed), (struct sock_filter)ALLOW);
    answer_calls(&filter, refused, COUNT(refused), (struct sock_filter)REFUSE(EPERM));
    add(&filter, (struct sock_filter)REFUSE(ENOSYS));

    const struct sock_fprog program = {filter.count, filter.lines};
    return has_seccomp() && syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

/* ---- both ---- */

static struct { bool entered, files, calls; } held;

void sandbox_enter(const char *const *readable) {
    held.entered = true;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    held.files = restrict_files(readable);
    held.calls = restrict_calls();
}

const char *sandbox_words(void) {
    bool files = held.entered ? held.files : landlock_version() > 0;
    bool calls = held.entered ? held.calls : has_seccomp();
    return files && calls ? "Landlock and seccomp"
           : files        ? "Landlock"
           : calls        ? "seccomp"
                          : "the program's own checks";
}

#else

void sandbox_enter(const char *const *readable) { (void)readable; }
const char *sandbox_words(void) { return "the program's own checks"; }

#endif
