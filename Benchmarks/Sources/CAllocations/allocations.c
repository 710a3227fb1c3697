#include "CAllocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// glibc's own, under the names that it keeps for programs that replace malloc.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long allocations;

static void count_one(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

long allocation_count(void) { return atomic_load_explicit(&allocations, memory_order_relaxed); }

void *malloc(size_t size) { return count_one(), __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return count_one(), __libc_calloc(count, size); }

void *realloc(void *old, size_t size) { return count_one(), __libc_realloc(old, size); }

void *aligned_alloc(size_t alignment, size_t size) { return count_one(), __libc_memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    count_one();
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}
