// What Swift cannot import from libbluetooth's headers: function-like macros, flexible arrays, control messages.
#pragma once
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <errno.h>
#include <linux/sock_diag.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

/// Up to `capacity` indexes of adapters into `indexes`. Returns how many, or -1 with errno.
static inline int cbluez_adapters(int descriptor, uint16_t *indexes, int capacity) {
    struct {
        struct hci_dev_list_req head;
        struct hci_dev_req entries[HCI_MAX_DEV];
    } list;
    memset(&list, 0, sizeof list);
    list.head.dev_num = HCI_MAX_DEV;
    if (ioctl(descriptor, HCIGETDEVLIST, &list) < 0) return -1;
    int count = list.head.dev_num < capacity ? list.head.dev_num : capacity;
    for (int i = 0; i < count; i++) indexes[i] = list.head.dev_req[i].dev_id;
    return count;
}

static inline int cbluez_adapter_information(int descriptor, struct hci_dev_info *information) {
    return ioctl(descriptor, HCIGETDEVINFO, information);
}

static inline int cbluez_up(int descriptor, int index) { return ioctl(descriptor, HCIDEVUP, index); }

static inline int cbluez_down(int descriptor, int index) { return ioctl(descriptor, HCIDEVDOWN, index); }

static inline int cbluez_is_up(const struct hci_dev_info *information) {
    return hci_test_bit(HCI_UP, (void *)&information->flags) != 0;
}

/// LMP feature bit 38: the controller has Bluetooth Low Energy.
static inline int cbluez_has_le(const struct hci_dev_info *information) {
    return (information->features[4] & 0x40) != 0;
}

static inline uint64_t cbluez_address(const struct hci_dev_info *information) {
    uint64_t value = 0;
    for (int i = 5; i >= 0; i--) value = value << 8 | information->bdaddr.b[i];
    return value;
}

static inline int cbluez_bind(int descriptor, int index, int channel) {
    struct sockaddr_hci address;
    memset(&address, 0, sizeof address);
    address.hci_family = AF_BLUETOOTH;
    address.hci_dev = (unsigned short)index;
    address.hci_channel = (unsigned short)channel;
    return bind(descriptor, (struct sockaddr *)&address, sizeof address);
}

/// All events, and the commands that other programs send to the adapter, with the kernel's receive times.
static inline int cbluez_listen_to_events(int descriptor) {
    struct hci_filter filter;
    hci_filter_clear(&filter);
    hci_filter_set_ptype(HCI_EVENT_PKT, &filter);
    hci_filter_set_ptype(HCI_COMMAND_PKT, &filter);
    hci_filter_all_events(&filter);
    if (setsockopt(descriptor, SOL_HCI, HCI_FILTER, &filter, sizeof filter) < 0) return -1;
    // The default buffer holds about 200 reports: a fifth of a second of a hundred beacons. Without CAP_NET_ADMIN the
    // system's limit (net.core.rmem_max) holds.
    int size = 4 << 20;
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    int on = 1;
    setsockopt(descriptor, SOL_HCI, HCI_TIME_STAMP, &on, sizeof on);
    return 0;
}

/// The kernel's receive times on a user channel, which knows no HCI_TIME_STAMP.
static inline void cbluez_stamp_packets(int descriptor) {
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on);
}

/// Of the kernel's own notices alone: adapters that come, go, up and down. For a socket that is bound to no adapter.
static inline int cbluez_listen_to_notices(int descriptor) {
    struct hci_filter filter;
    hci_filter_clear(&filter);
    hci_filter_set_ptype(HCI_EVENT_PKT, &filter);
    hci_filter_set_event(EVT_STACK_INTERNAL, &filter);
    return setsockopt(descriptor, SOL_HCI, HCI_FILTER, &filter, sizeof filter);
}

/// Whether the adapter that the socket is bound to belongs to a user channel: a question about a connection that nobody
/// has is answered with EBUSY then.
static inline int cbluez_is_busy(int descriptor) {
    struct hci_conn_info_req request;
    memset(&request, 0, sizeof request);
    request.type = ACL_LINK;
    return ioctl(descriptor, HCIGETCONNINFO, &request) < 0 && errno == EBUSY;
}

/// One packet. `microseconds` is the kernel's receive time, or 0 where it gives none.
static inline ssize_t cbluez_receive(int descriptor, void *buffer, size_t size, int64_t *microseconds) {
    char control[256];
    struct iovec vector = {.iov_base = buffer, .iov_len = size};
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t count = recvmsg(descriptor, &message, MSG_DONTWAIT);
    *microseconds = 0;
    if (count < 0) return count;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
        if ((head->cmsg_level == SOL_HCI && head->cmsg_type == HCI_CMSG_TSTAMP) ||
            (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_TIMESTAMP)) {
            struct timeval time;
            memcpy(&time, CMSG_DATA(head), sizeof time);
            *microseconds = (int64_t)time.tv_sec * 1000000 + time.tv_usec;
        }
    }
    return count;
}

/// Packets that the kernel dropped because the socket's buffer was full, since it was opened; -1 where it does not tell.
static inline int64_t cbluez_dropped(int descriptor) {
    uint32_t memory[SK_MEMINFO_VARS];
    socklen_t length = sizeof memory;
    if (getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, memory, &length) < 0) return -1;
    return length > SK_MEMINFO_DROPS * sizeof memory[0] ? memory[SK_MEMINFO_DROPS] : -1;
}

