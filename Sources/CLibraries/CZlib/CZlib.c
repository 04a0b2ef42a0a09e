#include "CZlib.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// zlib.h.
struct z_stream {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate, *release, *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
};
enum { no_flush = 0, finish = 4, ok = 0, stream_end = 1, buffer_error = -5 };
// The format gzip with a window of 8 KiB, and little memory: 64 KiB for each stream.
enum { level = 5, deflated = 8, window_bits = 16 + 13, memory_level = 6, default_strategy = 0 };

static struct {
    int (*begin)(struct z_stream *, int, int, int, int, int, const char *, int);
    int (*compress)(struct z_stream *, int);
    int (*end)(struct z_stream *);
} zlib;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

static void load(void) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    zlib.begin = (__typeof__(zlib.begin))dlsym(library, "deflateInit2_");
    zlib.compress = (__typeof__(zlib.compress))dlsym(library, "deflate");
    zlib.end = (__typeof__(zlib.end))dlsym(library, "deflateEnd");
    is_loaded = zlib.begin && zlib.compress && zlib.end;
}

struct czlib_stream {
    struct z_stream z;
};

struct czlib_stream *czlib_open(void) {
    pthread_once(&once, load);
    if (!is_loaded) return NULL;
    struct czlib_stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    if (zlib.begin(&stream->z, level, deflated, window_bits, memory_level, default_strategy, "1",
                   (int)sizeof stream->z) == ok)
        return stream;
    free(stream);
    return NULL;
}

ptrdiff_t czlib_compress(struct czlib_stream *stream, const uint8_t *bytes, size_t count,
                         size_t *taken, int is_end, uint8_t *output, size_t capacity) {
    struct z_stream *z = &stream->z;
    z->next_in = bytes;
    z->avail_in = (unsigned int)count;
    z->next_out = output;
    z->avail_out = (unsigned int)capacity;
    int result = zlib.compress(z, is_end ? finish : no_flush);
    *taken = count - z->avail_in;
    if (result != ok && result != stream_end && result != buffer_error) return -1;
    return (ptrdiff_t)(capacity - z->avail_out);
}

void czlib_close(struct czlib_stream *stream) {
    zlib.end(&stream->z);
    free(stream);
}
