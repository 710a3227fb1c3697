// libmosquitto, and the descriptor that wakes a thread that waits in poll.
#pragma once
#include <mosquitto.h>
#include <sys/eventfd.h>

/// An event descriptor that does not block, or -1 with errno.
static inline int cmosquitto_wake_descriptor(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
