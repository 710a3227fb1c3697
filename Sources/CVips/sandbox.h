// What takes rights away from a process for good (prctl(2), landlock(7), seccomp(2)).
#pragma once
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

static inline int csandbox_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

// No core dumps, and no debugger of the same user.
static inline int csandbox_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// The process ends with the one that has started it.
static inline int csandbox_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

static inline int csandbox_limit(int resource, uint64_t value) {
    struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &limit);
}

static inline int csandbox_limit_memory(uint64_t bytes) { return csandbox_limit(RLIMIT_AS, bytes); }
static inline int csandbox_limit_seconds(uint64_t seconds) { return csandbox_limit(RLIMIT_CPU, seconds); }
static inline int csandbox_limit_file(uint64_t bytes) { return csandbox_limit(RLIMIT_FSIZE, bytes); }
static inline int csandbox_limit_descriptors(uint64_t count) { return csandbox_limit(RLIMIT_NOFILE, count); }
static inline int csandbox_limit_cores(void) { return csandbox_limit(RLIMIT_CORE, 0); }

// The version of Landlock's interface; 0 or less where the kernel does not have it.
static inline int csandbox_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1U /* LANDLOCK_CREATE_RULESET_VERSION */);
}

// From here on this thread, and those it starts, open no file and no TCP connection; descriptors that are open stay
// usable.
static inline int csandbox_landlock(int version) {
    struct {
        uint64_t files, network, scopes;
    } handled = {.files = 0x1FFF, .network = version >= 4 ? 0x3 : 0, .scopes = version >= 6 ? 0x3 : 0};
    if (version >= 2) handled.files |= 1U << 13; // LANDLOCK_ACCESS_FS_REFER
    if (version >= 3) handled.files |= 1U << 14; // LANDLOCK_ACCESS_FS_TRUNCATE
    if (version >= 5) handled.files |= 1U << 15; // LANDLOCK_ACCESS_FS_IOCTL_DEV
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0U);
    if (rules < 0) return -1;
    int result = (int)syscall(SYS_landlock_restrict_self, rules, 0U);
    close(rules);
    return result;
}

#if defined(__x86_64__)
#define CSANDBOX_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CSANDBOX_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// System calls of a program that computes with memory and with descriptors that it has. All others fail.
static const int csandbox_calls[] = {
    SYS_read, SYS_write, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev, SYS_lseek, SYS_fstat, SYS_close, SYS_dup,
    SYS_fcntl, SYS_ftruncate, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_set_robust_list,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_exit, SYS_exit_group, SYS_restart_syscall,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getpid, SYS_gettid,
    SYS_getrusage, SYS_sched_yield, SYS_sched_getaffinity, SYS_getrandom, SYS_sysinfo, SYS_uname, SYS_getcpu, SYS_ppoll,
    SYS_membarrier,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_poll
    SYS_poll,
#endif
};

// Installs the filter in all threads. 0, or -1 and errno.
static inline int csandbox_filter(void) {
#ifdef CSANDBOX_ARCHITECTURE
    enum { CALLS = sizeof csandbox_calls / sizeof *csandbox_calls };
    struct sock_filter code[CALLS * 2 + 64];
    unsigned n = 0;
#define CSANDBOX_ADD(...) code[n++] = (struct sock_filter)__VA_ARGS__
#define CSANDBOX_LOAD(field) CSANDBOX_ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field)))
#define CSANDBOX_RETURN(value) CSANDBOX_ADD(BPF_STMT(BPF_RET | BPF_K, value))
// Skips so many instructions unless it is this call.
#define CSANDBOX_UNLESS(call, skip) CSANDBOX_ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, skip))
    CSANDBOX_LOAD(arch);
    CSANDBOX_ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CSANDBOX_ARCHITECTURE, 1, 0));
    CSANDBOX_RETURN(SECCOMP_RET_KILL_PROCESS);
    CSANDBOX_LOAD(nr);
    for (int i = 0; i < CALLS; i++) {
        CSANDBOX_UNLESS((uint32_t)csandbox_calls[i], 1);
        CSANDBOX_RETURN(SECCOMP_RET_ALLOW);
    }
    // Memory, but none that can be run as code.
    int memory[] = {SYS_mmap, SYS_mprotect};
    for (int i = 0; i < 2; i++) {
        CSANDBOX_UNLESS((uint32_t)memory[i], 4);
        CSANDBOX_LOAD(args[2]);
        CSANDBOX_ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 4 /* PROT_EXEC */, 1, 0));
        CSANDBOX_RETURN(SECCOMP_RET_ALLOW);
        CSANDBOX_RETURN(SECCOMP_RET_ERRNO | EPERM);
    }
    // Threads, but no processes. glibc tries clone3 first, whose flags a filter cannot see.
    CSANDBOX_UNLESS(SYS_clone, 4);
    CSANDBOX_LOAD(args[0]);
    CSANDBOX_ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x10000 /* CLONE_THREAD */, 0, 1));
    CSANDBOX_RETURN(SECCOMP_RET_ALLOW);
    CSANDBOX_RETURN(SECCOMP_RET_ERRNO | EPERM);
    CSANDBOX_UNLESS(435 /* clone3 */, 1);
    CSANDBOX_RETURN(SECCOMP_RET_ERRNO | ENOSYS);
    // fstat(3): of a descriptor only.
    CSANDBOX_UNLESS(SYS_newfstatat, 4);
    CSANDBOX_LOAD(args[3]);
    CSANDBOX_ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x1000 /* AT_EMPTY_PATH */, 0, 1));
    CSANDBOX_RETURN(SECCOMP_RET_ALLOW);
    CSANDBOX_RETURN(SECCOMP_RET_ERRNO | EPERM);
    // Its own limits, and signals to itself: abort(3).
    uint32_t own[][2] = {{SYS_prlimit64, 0}, {SYS_tgkill, (uint32_t)getpid()}};
    for (int i = 0; i < 2; i++) {
        CSANDBOX_UNLESS(own[i][0], 4);
        CSANDBOX_LOAD(args[0]);
        CSANDBOX_UNLESS(own[i][1], 1);
        CSANDBOX_RETURN(SECCOMP_RET_ALLOW);
        CSANDBOX_RETURN(SECCOMP_RET_ERRNO | EPERM);
    }
    CSANDBOX_RETURN(SECCOMP_RET_ERRNO | EPERM);
#undef CSANDBOX_ADD
#undef CSANDBOX_LOAD
#undef CSANDBOX_RETURN
#undef CSANDBOX_UNLESS
    struct sock_fprog program = {.len = (unsigned short)n, .filter = code};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
#else
    errno = ENOSYS;
    return -1;
#endif
}
