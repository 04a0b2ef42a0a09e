#include "CJournalLog.h"

#include <string.h>

// The reversed polynomial 0x1EDC6F41.
#define POLYNOMIAL 0x82F63B78u

// The checksum of each half of a byte.
static uint32_t half(uint32_t state) {
    for (int bit = 0; bit < 4; bit++) state = state >> 1 ^ (state & 1 ? POLYNOMIAL : 0);
    return state;
}

uint32_t cjournallog_crc32c_table(uint32_t checksum, const void *bytes, size_t count) {
    // Made for each call: 16 entries cost less than a table that threads would share.
    uint32_t table[16];
    for (uint32_t index = 0; index < 16; index++) table[index] = half(index);
    const uint8_t *next = bytes;
    uint32_t state = ~checksum;
    for (size_t index = 0; index < count; index++) {
        state ^= next[index];
        state = state >> 4 ^ table[state & 15];
        state = state >> 4 ^ table[state & 15];
    }
    return ~state;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

__attribute__((target("sse4.2")))
static uint32_t with_instruction(uint32_t checksum, const uint8_t *bytes, size_t count) {
    uint64_t state = ~checksum;
    for (; count >= 8; count -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        state = _mm_crc32_u64(state, word);
    }
    uint32_t rest = (uint32_t)state;
    for (; count > 0; count--, bytes++) rest = _mm_crc32_u8(rest, *bytes);
    return ~rest;
}

static int has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__aarch64__)
#include <sys/auxv.h>

// HWCAP_CRC32 of asm/hwcap.h.
#define CRC32_CAPABILITY (1UL << 7)

__attribute__((target("crc")))
static uint32_t with_instruction(uint32_t checksum, const uint8_t *bytes, size_t count) {
    uint32_t state = ~checksum;
    for (; count >= 8; count -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        state = __builtin_arm_crc32cd(state, word);
    }
    for (; count > 0; count--, bytes++) state = __builtin_arm_crc32cb(state, *bytes);
    return ~state;
}

static int has_instruction(void) { return (getauxval(AT_HWCAP) & CRC32_CAPABILITY) != 0; }

#else

static uint32_t with_instruction(uint32_t checksum, const uint8_t *bytes, size_t count) {
    return cjournallog_crc32c_table(checksum, bytes, count);
}

static int has_instruction(void) { return 1; }

#endif

uint32_t cjournallog_crc32c(uint32_t checksum, const void *bytes, size_t count) {
    return has_instruction() ? with_instruction(checksum, bytes, count)
                             : cjournallog_crc32c_table(checksum, bytes, count);
}
