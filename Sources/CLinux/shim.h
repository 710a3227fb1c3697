// Linux interfaces that Swift's Glibc module leaves out.
#pragma once
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <net/if.h>
#include <semaphore.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

// A descriptor for waking a thread that polls (eventfd(2)); -1 and errno where there is none.
static inline int clinux_wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// A socket that the kernel tells about links, addresses and routes (rtnetlink(7)); -1 and errno where there is none.
static inline int clinux_route_socket(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE,
    };
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}

// Waits for a semaphore by the monotonic clock (sem_clockwait(3)), for this long at most.
int sem_clockwait(sem_t *, clockid_t, const struct timespec *);
static inline void clinux_semaphore_wait(sem_t *semaphore, long seconds, long nanoseconds) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += seconds + (end.tv_nsec + nanoseconds) / 1000000000;
    end.tv_nsec = (end.tv_nsec + nanoseconds) % 1000000000;
    while (sem_clockwait(semaphore, CLOCK_MONOTONIC, &end) != 0 && errno == EINTR) {
    }
}

// Keeps what is freed usable for others, and gives it back (mallopt(3)): threads share so many heaps, and large blocks
// never move into them, as they otherwise do once one was freed.
static inline void clinux_share_heaps(int count) {
    mallopt(M_ARENA_MAX, count);
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}

// A file in memory, closed when another program is run (memfd_create(2)); -1 and errno where there is none.
static inline int clinux_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1U /* MFD_CLOEXEC */); }

// A descriptor that is readable once a child process has ended (pidfd_open(2)); -1 and errno where there is none.
static inline int clinux_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0U); }

// Flushes the file system of a descriptor (syncfs(2)); glibc shows it only to GNU sources.
static inline int clinux_sync_file_system(int descriptor) {
    extern int syncfs(int);
    return syncfs(descriptor);
}

// Closes all descriptors from one on in the program that is run; glibc shows it only to GNU sources.
static inline int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
    extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
