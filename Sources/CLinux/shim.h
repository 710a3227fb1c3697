// Linux interfaces that Swift's Glibc module leaves out.
#pragma once
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <net/if.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <unistd.h>

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

// Keeps what is freed usable for others, and gives it back (mallopt(3)): threads share so many heaps, and large blocks
// never move into them, as they otherwise do once one was freed.
static inline void clinux_share_heaps(int count) {
    mallopt(M_ARENA_MAX, count);
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}
