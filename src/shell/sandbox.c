#define _GNU_SOURCE /* for O_PATH and syscall */
#include "shell/sandbox.h"

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

static void allow_reading(int rules, const char *path) {
    struct stat status;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return;
    struct landlock_path_beneath_attr below = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
                                               .parent_fd = fd};
    if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
        below.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0);
    close(fd);
}

static bool restrict_files(const char *const *readable) {
    int version = landlock_version();
    struct landlock_ruleset_attr handled = {.handled_access_fs = ALL_OF_VERSION_1};
    if (version >= 2) handled.handled_access_fs |= REFER;
    if (version >= 3) handled.handled_access_fs |= TRUNCATE;
    if (version == 0) return false;
    int rules =
        (int)syscall(__NR_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0);
    if (rules < 0) return false;
    for (; *readable; readable++) allow_reading(rules, *readable);
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

/* What changes files, starts programs, talks to others or looks into them. Those with ifdef are not
 * on every machine, which has the newer one of each alone. */
static const uint32_t refused[] = {
    __NR_execve,
    __NR_execveat,
    __NR_socket,
    __NR_socketpair,
    __NR_connect,
    __NR_bind,
    __NR_listen,
    __NR_accept,
    __NR_accept4,
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_bpf,
    __NR_perf_event_open,
    __NR_io_uring_setup,
    __NR_userfaultfd,
    __NR_add_key,
    __NR_request_key,
    __NR_keyctl,
    __NR_mount,
    __NR_umount2,
    __NR_pivot_root,
    __NR_chroot,
    __NR_setns,
    __NR_unshare,
    __NR_openat2,
    __NR_open_by_handle_at,
    __NR_unlinkat,
    __NR_renameat2,
    __NR_mkdirat,
    __NR_linkat,
    __NR_symlinkat,
    __NR_mknodat,
    __NR_fchmod,
    __NR_fchmodat,
    __NR_fchown,
    __NR_fchownat,
    __NR_truncate,
    __NR_ftruncate,
    __NR_fallocate,
    __NR_utimensat,
    __NR_setxattr,
    __NR_lsetxattr,
    __NR_fsetxattr,
    __NR_removexattr,
    __NR_lremovexattr,
    __NR_fremovexattr,
    FCHMODAT2,
    SETXATTRAT,
    REMOVEXATTRAT,
    __NR_mq_open,
    __NR_mq_unlink,
    __NR_memfd_create,
#ifdef __NR_renameat
    __NR_renameat,
#endif
#ifdef __NR_fork
    __NR_fork,
#endif
#ifdef __NR_vfork
    __NR_vfork,
#endif
#ifdef __NR_unlink
    __NR_unlink,
    __NR_rename,
    __NR_mkdir,
    __NR_rmdir,
    __NR_link,
    __NR_symlink,
    __NR_mknod,
    __NR_chmod,
    __NR_chown,
    __NR_lchown,
    __NR_creat,
    __NR_utime,
    __NR_utimes,
    __NR_futimesat,
#endif
};
enum { REFUSED = sizeof refused / sizeof *refused, FILTER_MOST = 2 * REFUSED + 40 };

enum { WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND };

#define AT(member) offsetof(struct seccomp_data, member)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define EQUALS(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define HAS_BITS(bits, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, then, otherwise)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE(code) RETURN(SECCOMP_RET_ERRNO | (code))

typedef struct Filter {
    struct sock_filter lines[FILTER_MOST];
    unsigned short count;
} Filter;

static void add(Filter *filter, struct sock_filter line) { filter->lines[filter->count++] = line; }

/* Refuses a call whose argument has one of these bits (or, where `needed`, has not). */
static void refuse_bits(Filter *filter, uint32_t call, int argument, uint32_t bits, bool needed) {
    /* The machines here are little-endian: the low half of an argument comes first. */
    uint32_t low = (uint32_t)(AT(args) + (size_t)argument * sizeof(uint64_t));
    add(filter, (struct sock_filter)EQUALS(call, 0, 4));
    add(filter, (struct sock_filter)LOAD(low));
    add(filter, (struct sock_filter)HAS_BITS(bits, needed, !needed));
    add(filter, (struct sock_filter)REFUSE(EPERM));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
}

static void write_filter(Filter *filter) {
    filter->count = 0;
    add(filter, (struct sock_filter)LOAD(AT(arch)));
    add(filter, (struct sock_filter)EQUALS(OUR_MACHINE, 1, 0));
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_KILL_PROCESS));
    add(filter, (struct sock_filter)LOAD(AT(nr)));
#ifdef __x86_64__
    /* The numbers of x32, by which the same calls could be made. */
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    add(filter, (struct sock_filter)REFUSE(ENOSYS));
    refuse_bits(filter, __NR_open, 1, WRITES, false);
#endif
    refuse_bits(filter, __NR_openat, 2, WRITES, false);
    /* Threads, but no processes. clone3 has its flags in memory, where a filter does not see them;
     * without it the C library uses clone. */
    refuse_bits(filter, __NR_clone, 0, CLONE_THREAD, true);
    add(filter, (struct sock_filter)EQUALS(__NR_clone3, 0, 1));
    add(filter, (struct sock_filter)REFUSE(ENOSYS));
    for (size_t i = 0; i < REFUSED; i++) {
        add(filter, (struct sock_filter)EQUALS(refused[i], 0, 1));
        add(filter, (struct sock_filter)REFUSE(EPERM));
    }
    add(filter, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
}

static bool has_seccomp(void) {
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

static bool restrict_calls(void) {
    Filter filter;
    write_filter(&filter);
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
