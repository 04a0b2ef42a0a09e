#define _GNU_SOURCE
#include "CFaults.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <unistd.h>

// The kernel is called directly: the functions of these names are the ones below.

enum call { NONE, WRITE, SYNC, TRUNCATE, RENAME, READ, SEND, RECEIVE, CLOCK };

static enum call failing;
static const char *path;
static const char *meanwhile;
static const char *report;
static long first;
static long times;
static int error_number;
static int hangs;
static atomic_long count;
static atomic_int has_reported;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

// What the program changes in its environment later makes no difference.
__attribute__((constructor)) static void begin(void) {
    static const char *const names[] = {
        "", "write", "sync", "truncate", "rename", "read", "send", "receive",
        "clock"};
    const char *name = getenv("FAULTS_CALL");
    if (!name) return;
    path = getenv("FAULTS_PATH");
    meanwhile = getenv("FAULTS_WHILE");
    report = getenv("FAULTS_REPORT");
    first = number("FAULTS_FIRST");
    times = number("FAULTS_TIMES");
    error_number = (int)number("FAULTS_ERROR");
    hangs = number("FAULTS_HANG") != 0;
    for (int i = WRITE; i <= CLOCK; i++)
        if (strcmp(name, names[i]) == 0) failing = (enum call)i;
}

static int is_file(int descriptor) {
    char link[64], target[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0 || !path) return 0;
    target[length] = 0;
    return strncmp(target, path, strlen(path)) == 0;
}

static int is_internet(int descriptor) {
    int domain = 0;
    socklen_t length = sizeof domain;
    return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_INET;
}

static int is_due(void) {
    if (meanwhile && access(meanwhile, F_OK) != 0) return 0;
    long this = atomic_fetch_add(&count, 1) + 1;
    return this >= first && (times == 0 || this < first + times);
}

static int is_meant(enum call call, int descriptor) {
    if (call != failing) return 0;
    if (!(call == SEND || call == RECEIVE ? is_internet(descriptor) : is_file(descriptor))) return 0;
    return is_due();
}

static void tell(void) {
    if (!report || atomic_exchange(&has_reported, 1)) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) syscall(SYS_close, file);
}

// A call to a disk that does not return, until the process is ended.
static void hang(void) {
    while (hangs) pause();
}

// Whether a call fails; errno then says how, or is 0 when only a part of it is done.
static int fails(enum call call, int descriptor) {
    if (failing == NONE) return 0;
    int saved = errno;
    if (!is_meant(call, descriptor)) {
        errno = saved;
        return 0;
    }
    tell();
    hang();
    errno = error_number;
    return 1;
}

// Reads and writes that are said to be of a file may be of a socket.
static int fails_at(enum call call, enum call at_socket, int descriptor) {
    return fails(failing == at_socket ? at_socket : call, descriptor);
}

#define HALF(size) ((size) > 1 ? (size) / 2 : (size))

ssize_t write(int descriptor, const void *bytes, size_t size) {
    if (fails_at(WRITE, SEND, descriptor)) {
        if (errno) return -1;
        size = HALF(size);
    }
    return syscall(SYS_write, descriptor, bytes, size);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    if (fails(WRITE, descriptor)) {
        if (errno) return -1;
        size = HALF(size);
    }
    return syscall(SYS_pwrite64, descriptor, bytes, size, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    return pwrite64(descriptor, bytes, size, offset);
}

ssize_t writev(int descriptor, const struct iovec *parts, int part_count) {
    if (fails_at(WRITE, SEND, descriptor)) {
        if (errno) return -1;
        part_count = HALF(part_count);
    }
    return syscall(SYS_writev, descriptor, parts, part_count);
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int part_count, off64_t offset) {
    if (fails(WRITE, descriptor)) {
        if (errno) return -1;
        part_count = HALF(part_count);
    }
    return syscall(SYS_pwritev, descriptor, parts, part_count, offset, 0);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int part_count, off_t offset) {
    return pwritev64(descriptor, parts, part_count, offset);
}

// Space for a file is written to it, too.
int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
    if (fails(WRITE, descriptor)) {
        if (!errno) errno = ENOSPC;
        return -1;
    }
    return (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    return fallocate64(descriptor, mode, offset, length);
}

int fsync(int descriptor) {
    return fails(SYNC, descriptor) ? -1 : (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
    return fails(SYNC, descriptor) ? -1 : (int)syscall(SYS_fdatasync, descriptor);
}

int ftruncate64(int descriptor, off64_t length) {
    return fails(TRUNCATE, descriptor) ? -1 : (int)syscall(SYS_ftruncate, descriptor, length);
}

int ftruncate(int descriptor, off_t length) {
    return ftruncate64(descriptor, length);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    int saved = errno;
    if (failing == RENAME && path && strncmp(to, path, strlen(path)) == 0 && is_due()) {
        tell();
        errno = error_number;
        return -1;
    }
    errno = saved;
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int rename(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

ssize_t read(int descriptor, void *bytes, size_t size) {
    if (fails_at(READ, RECEIVE, descriptor)) return errno ? -1 : 0;
    return syscall(SYS_read, descriptor, bytes, size);
}

ssize_t pread64(int descriptor, void *bytes, size_t size, off64_t offset) {
    if (fails(READ, descriptor)) return errno ? -1 : 0;
    return syscall(SYS_pread64, descriptor, bytes, size, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
    return pread64(descriptor, bytes, size, offset);
}

ssize_t sendto(
    int descriptor, const void *bytes, size_t size, int flags, const struct sockaddr *address,
    socklen_t length
) {
    if (fails(SEND, descriptor)) {
        if (errno) return -1;
        size = HALF(size);
    }
    return syscall(SYS_sendto, descriptor, bytes, size, flags, address, length);
}

ssize_t send(int descriptor, const void *bytes, size_t size, int flags) {
    return sendto(descriptor, bytes, size, flags, NULL, 0);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    if (fails(SEND, descriptor) && errno) return -1;
    return syscall(SYS_sendmsg, descriptor, message, flags);
}

ssize_t recvfrom(
    int descriptor, void *bytes, size_t size, int flags, struct sockaddr *address, socklen_t *length
) {
    if (fails(RECEIVE, descriptor)) return errno ? -1 : 0;
    return syscall(SYS_recvfrom, descriptor, bytes, size, flags, address, length);
}

ssize_t recv(int descriptor, void *bytes, size_t size, int flags) {
    return recvfrom(descriptor, bytes, size, flags, NULL, NULL);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    if (fails(RECEIVE, descriptor)) return errno ? -1 : 0;
    return syscall(SYS_recvmsg, descriptor, message, flags);
}

// The state of the clock, which the ingest pipeline asks for.
int adjtimex(struct timex *state) {
    if (failing == CLOCK && is_due()) {
        tell();
        hang();
        errno = error_number;
        return -1;
    }
    return (int)syscall(SYS_adjtimex, state);
}
