#pragma once

// SHA-256 (FIPS 180-4), for the checksums of a backup: in C, because Swift without optimisation hashes a
// thousand times more slowly, and no library is needed for it.

#include <stddef.h>
#include <stdint.h>

struct csha256 {
    uint32_t state[8];
    uint64_t count;
    uint8_t block[64];
};

// Begins a hash.
void csha256_begin(struct csha256 *_Nonnull hash);

// Continues a hash with more bytes.
void csha256_update(struct csha256 *_Nonnull hash, const void *_Nullable bytes, size_t count);

// Ends a hash, and writes its 32 bytes.
void csha256_end(struct csha256 *_Nonnull hash, uint8_t *_Nonnull digest);
