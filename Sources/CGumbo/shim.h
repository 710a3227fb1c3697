#pragma once

#include <gumbo.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

// Gumbo trusts its input to be of reasonable size: it checks no allocation, frees its tree by recursion, and takes
// quadratic time for some inputs. Here it gets its memory from one block, and is left by longjmp when the block, the
// stack or the time is used up. The tree needs no freeing: it is the block. Between setjmp and longjmp there are only
// frames of C.

typedef struct {
    char *memory;
    size_t size, used;
    // Where the stack was when parsing began, and how much of it may be used.
    uintptr_t stack;
    size_t most_stack;
    // Nanoseconds of this thread's processor time.
    int64_t deadline;
    unsigned calls;
    jmp_buf limit;
} cgumbo_arena;

static inline int64_t cgumbo_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline void cgumbo_check(cgumbo_arena *arena) {
    char here;
    uintptr_t place = (uintptr_t)&here;
    size_t depth = place < arena->stack ? arena->stack - place : place - arena->stack;
    if (depth > arena->most_stack || (arena->calls++ % 64 == 0 && cgumbo_time() > arena->deadline))
        longjmp(arena->limit, 1);
}

static inline void *cgumbo_allocate(void *context, size_t size) {
    cgumbo_arena *arena = context;
    cgumbo_check(arena);
    size = (size + 15) & ~(size_t)15;
    if (size > arena->size - arena->used) longjmp(arena->limit, 1);
    void *memory = arena->memory + arena->used;
    arena->used += size;
    return memory;
}

static inline void cgumbo_release(void *context, void *memory) {
    (void)memory;
    cgumbo_check(context);
}

// Nil without memory.
static inline cgumbo_arena *cgumbo_new(size_t size) {
    cgumbo_arena *arena = calloc(1, sizeof *arena);
    if (!arena) return NULL;
    arena->memory = malloc(size);
    arena->size = size;
    if (arena->memory) return arena;
    free(arena);
    return NULL;
}

static inline void cgumbo_free(cgumbo_arena *arena) {
    free(arena->memory);
    free(arena);
}

// The tree's document, which lives as long as the arena and the text; nil if a limit was reached.
static inline const GumboNode *cgumbo_parse(
    cgumbo_arena *arena, const char *text, size_t length, size_t most_stack, int64_t nanoseconds) {
    char here;
    arena->stack = (uintptr_t)&here;
    arena->most_stack = most_stack;
    arena->deadline = cgumbo_time() + nanoseconds;
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = cgumbo_allocate;
    options.deallocator = cgumbo_release;
    options.userdata = arena;
    options.max_errors = 0;
    if (setjmp(arena->limit)) return NULL;
    return gumbo_parse_with_options(&options, text, length)->document;
}
