#pragma once

#include <stddef.h>
#include <stdint.h>

// zlib without being linked with it: it is looked up at run time, since most gateways serve no web page.
// No header of zlib is needed: the structure and the numbers are the same in every version 1.

struct czlib_stream;

// Begins to compress as gzip. Any threads may call it. NULL when zlib is missing or has no memory.
struct czlib_stream *_Nullable czlib_open(void);

// Compresses the next bytes, of which `taken` get compressed.
//
// Returns the number of bytes that were written; -1 when it fails. Fewer than `capacity` means that all were
// taken and, at the end, that everything is written.
ptrdiff_t czlib_compress(struct czlib_stream *_Nonnull stream, const uint8_t *_Nullable bytes,
                         size_t count, size_t *_Nonnull taken, int is_end,
                         uint8_t *_Nonnull output, size_t capacity);

// Ends the stream and frees it.
void czlib_close(struct czlib_stream *_Nonnull stream);
