#include "cbenchmarks.h"

#include <errno.h>
#include <stddef.h>

// glibc's own names of its functions; those without the prefix may be replaced (malloc(3), Replacing
// malloc in the GNU C Library manual).
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Memory for thread-local variables of a program is there before the thread runs: counting takes none.
static _Thread_local uint64_t count;

uint64_t cbenchmarks_allocations(void) {
    return count;
}

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count++;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    count++;
    void *taken = __libc_memalign(alignment, size);
    if (taken == NULL) return ENOMEM;
    *memory = taken;
    return 0;
}
