#pragma once
#include <malloc.h>
#include <stddef.h>

// The bytes that the program has got from malloc and not freed (mallinfo(3)): small blocks of all
// arenas, and large blocks, which are mapped one by one. Swift's Glibc module has no <malloc.h>.
static inline size_t cmemory_used_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
