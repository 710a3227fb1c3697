// Tells ThreadSanitizer what Swift's libraries do that are not built for it. tools/sanitize preloads this library into
// every program: otherwise what has an order seems to have none.

#define _GNU_SOURCE

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

// Null in programs without ThreadSanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// `Mutex`: the compiler inlines the way without waiting, whose atomic operations ThreadSanitizer sees. The way with
// waiting is in libswiftSynchronization.so: `_MutexHandle._lockSlow(_: UInt32)`, `_tryLockSlow() -> Bool` and
// `_unlockSlow()`. The handle begins with its atomic word.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slowly(uint32_t thread, SELF) __asm__(LOCK);
SWIFT _Bool try_lock_slowly(SELF) __asm__(TRY_LOCK);
SWIFT void unlock_slowly(SELF) __asm__(UNLOCK);

SWIFT void lock_slowly(uint32_t thread, SELF) {
    SWIFT void (*original)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    original(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT _Bool try_lock_slowly(SELF) {
    SWIFT _Bool (*original)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
    _Bool is_locked = original(self);
    if (is_locked && __tsan_acquire) __tsan_acquire(self);
    return is_locked;
}

SWIFT void unlock_slowly(SELF) {
    SWIFT void (*original)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(self);
    original(self);
}

// Continuations: libswift_Concurrency.so says when one is resumed (with the task as address), but not that the task has
// seen it where it was resumed before it waited.
#define ASYNC __attribute__((swiftasynccall))

__attribute__((weak)) SWIFT void *swift_task_getCurrent(void);

ASYNC void swift_continuation_await(void *context) {
    ASYNC void (*original)(void *) = dlsym(RTLD_NEXT, "swift_continuation_await");
    if (__tsan_acquire && swift_task_getCurrent) __tsan_acquire(swift_task_getCurrent());
    __attribute__((musttail)) return original(context);
}
