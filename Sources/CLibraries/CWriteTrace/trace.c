#define _GNU_SOURCE
#include "CWriteTrace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// The kernel is called directly: the functions of these names are the ones below.

static int trace = -1;
static const char *prefix;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("TRACE_FILE");
    prefix = getenv("TRACE_PATH");
    if (!path || !prefix) return;
    trace = (int)syscall(
        SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void note(
    char kind, ino_t inode, int64_t offset, const char *path, const void *data, size_t size
) {
    int saved = errno;
    char head[25];
    uint64_t number = inode;
    uint32_t path_length = path ? (uint32_t)strlen(path) : 0, data_length = (uint32_t)size;
    head[0] = kind;
    memcpy(head + 1, &number, 8);
    memcpy(head + 9, &offset, 8);
    memcpy(head + 17, &path_length, 4);
    memcpy(head + 21, &data_length, 4);
    struct iovec parts[] = {
        {head, sizeof head}, {(void *)path, path_length}, {(void *)data, size},
    };
    syscall(SYS_writev, trace, parts, 3);
    errno = saved;
}

static int is_meant(const char *path) {
    return trace >= 0 && strncmp(path, prefix, strlen(prefix)) == 0;
}

// The path of an open file below the prefix.
static int path_of(int descriptor, char *target) {
    if (trace < 0) return 0;
    int saved = errno;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, target, PATH_MAX - 1);
    errno = saved;
    if (length < 0) return 0;
    target[length] = 0;
    return is_meant(target);
}

// A path relative to an open folder.
static int resolve(int folder, const char *name, char *target) {
    if (trace < 0) return 0;
    if (name[0] == '/') {
        snprintf(target, PATH_MAX, "%s", name);
        return is_meant(target);
    }
    char base[PATH_MAX];
    if (folder == AT_FDCWD || !path_of(folder, base)) return 0;
    snprintf(target, PATH_MAX, "%s/%s", base, name);
    return 1;
}

static ino_t inode_of(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

static void note_file(char kind, int descriptor, int64_t offset, const void *data, size_t size) {
    char path[PATH_MAX];
    if (path_of(descriptor, path)) note(kind, inode_of(descriptor), offset, path, data, size);
}

// Keeps calls and their notes in one order.
#define ORDERED(type, call, after)                                                                    \
    if (trace < 0) return (type)(call);                                                               \
    pthread_mutex_lock(&lock);                                                                        \
    type result = (type)(call);                                                                       \
    if (result >= 0) { after; }                                                                       \
    pthread_mutex_unlock(&lock);                                                                      \
    return result;

ssize_t write(int descriptor, const void *bytes, size_t size) {
    if (trace < 0) return syscall(SYS_write, descriptor, bytes, size);
    char path[PATH_MAX];
    if (!path_of(descriptor, path)) return syscall(SYS_write, descriptor, bytes, size);
    ORDERED(
        ssize_t, syscall(SYS_write, descriptor, bytes, size),
        note_file('w', descriptor, lseek(descriptor, 0, SEEK_CUR) - result, bytes, (size_t)result))
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    ORDERED(
        ssize_t, syscall(SYS_pwrite64, descriptor, bytes, size, offset),
        note_file('w', descriptor, offset, bytes, (size_t)result))
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    return pwrite64(descriptor, bytes, size, offset);
}

static void note_parts(
    int descriptor, const struct iovec *parts, int part_count, int64_t offset, ssize_t size
) {
    for (int i = 0; i < part_count && size > 0; i++) {
        size_t length = parts[i].iov_len < (size_t)size ? parts[i].iov_len : (size_t)size;
        note_file('w', descriptor, offset, parts[i].iov_base, length);
        offset += (int64_t)length;
        size -= (ssize_t)length;
    }
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int part_count, off64_t offset) {
    ORDERED(
        ssize_t, syscall(SYS_pwritev, descriptor, parts, part_count, offset, 0),
        note_parts(descriptor, parts, part_count, offset, result))
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int part_count, off_t offset) {
    return pwritev64(descriptor, parts, part_count, offset);
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
    ORDERED(
        int, syscall(SYS_fallocate, descriptor, mode, offset, length),
        note_file('a', descriptor, offset + length, NULL, 0))
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    return fallocate64(descriptor, mode, offset, length);
}

int ftruncate64(int descriptor, off64_t length) {
    ORDERED(
        int, syscall(SYS_ftruncate, descriptor, length), note_file('t', descriptor, length, NULL, 0))
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

// A synchronization covers what was written before it began.
int fdatasync(int descriptor) {
    ORDERED(int, syscall(SYS_fdatasync, descriptor), note_file('s', descriptor, 0, NULL, 0))
}

int fsync(int descriptor) {
    ORDERED(int, syscall(SYS_fsync, descriptor), note_file('s', descriptor, 0, NULL, 0))
}

static int open_at(int folder, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    struct stat status;
    int is_new = (flags & O_CREAT) && resolve(folder, name, path) && lstat(path, &status) != 0;
    int is_cut = (flags & O_TRUNC) != 0;
    ORDERED(
        int, syscall(SYS_openat, folder, name, flags, mode),
        if (is_new) note_file('c', result, 0, NULL, 0);
        else if (is_cut) note_file('t', result, 0, NULL, 0))
}

static mode_t mode_in(int flags, va_list *arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(*arguments, mode_t) : 0;
}

#define OPEN(folder, name)                                                                            \
    va_list arguments;                                                                                \
    va_start(arguments, flags);                                                                       \
    mode_t mode = mode_in(flags, &arguments);                                                         \
    va_end(arguments);                                                                                \
    return open_at(folder, name, flags, mode);

int open(const char *name, int flags, ...) { OPEN(AT_FDCWD, name) }
int open64(const char *name, int flags, ...) { OPEN(AT_FDCWD, name) }
int openat(int folder, const char *name, int flags, ...) { OPEN(folder, name) }
int openat64(int folder, const char *name, int flags, ...) { OPEN(folder, name) }

int mkdir(const char *name, mode_t mode) {
    char path[PATH_MAX];
    struct stat status;
    int is_noted = resolve(AT_FDCWD, name, path);
    ORDERED(
        int, syscall(SYS_mkdir, name, mode),
        if (is_noted) note('m', stat(path, &status) == 0 ? status.st_ino : 0, 0, path, NULL, 0))
}

int renameat(int source_folder, const char *source, int target_folder, const char *target) {
    char from[PATH_MAX], to[PATH_MAX];
    int is_noted = resolve(source_folder, source, from) && resolve(target_folder, target, to);
    ORDERED(
        int, syscall(SYS_renameat, source_folder, source, target_folder, target),
        if (is_noted) note('r', 0, 0, from, to, strlen(to)))
}

int rename(const char *source, const char *target) {
    return renameat(AT_FDCWD, source, AT_FDCWD, target);
}

int unlinkat(int folder, const char *name, int flags) {
    char path[PATH_MAX];
    int is_noted = resolve(folder, name, path);
    ORDERED(
        int, syscall(SYS_unlinkat, folder, name, flags),
        if (is_noted) note('u', 0, 0, path, NULL, 0))
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

static void note_sent(int descriptor, const void *bytes, size_t size) {
    int domain = 0;
    socklen_t length = sizeof domain;
    int saved = errno;
    int is_internet =
        getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_INET;
    errno = saved;
    if (!is_internet) return;
    pthread_mutex_lock(&lock);
    note('n', 0, 0, NULL, bytes, size);
    pthread_mutex_unlock(&lock);
}

ssize_t sendto(
    int descriptor, const void *bytes, size_t size, int flags, const struct sockaddr *address,
    socklen_t length
) {
    if (trace >= 0) note_sent(descriptor, bytes, size);
    return syscall(SYS_sendto, descriptor, bytes, size, flags, address, length);
}

ssize_t send(int descriptor, const void *bytes, size_t size, int flags) {
    return sendto(descriptor, bytes, size, flags, NULL, 0);
}
