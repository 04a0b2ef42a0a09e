#pragma once
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <termios.h>

// POSIX 2008 and glibc; <stdlib.h> shows them only to programs that define _GNU_SOURCE, which
// Swift's importer does not.
int posix_openpt(int flags);
int grantpt(int descriptor);
int unlockpt(int descriptor);
int ptsname_r(int descriptor, char *name, size_t size);

// ioctl is variadic, and Swift does not import variadic functions.
static inline int cpty_set_exclusive(int descriptor) {
    return ioctl(descriptor, TIOCEXCL);
}

// Macros with arguments are not imported either.
static inline unsigned int cpty_major(dev_t device) {
    return major(device);
}

static inline unsigned int cpty_minor(dev_t device) {
    return minor(device);
}

static inline int cpty_clear_exclusive(int descriptor) {
    return ioctl(descriptor, TIOCNXCL);
}
