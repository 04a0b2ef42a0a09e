#pragma once

// CRC-32C (Castagnoli) with the processor's instruction for it, which Swift cannot name: RFC 3720, appendix
// B.4. A processor without the instruction gets a table.

#include <stddef.h>
#include <stdint.h>

// Continues a checksum with more bytes; the checksum of no bytes is 0.
uint32_t cjournallog_crc32c(uint32_t checksum, const void *bytes, size_t count);

// The same without the instruction, for tests.
uint32_t cjournallog_crc32c_table(uint32_t checksum, const void *bytes, size_t count);

// Allocates the blocks of a file up to a size (fallocate(2), which is only there with _GNU_SOURCE).
//
// Returns 0, or -1 and errno: EOPNOTSUPP where the file system cannot.
int cjournallog_allocate(int descriptor, int64_t size);
