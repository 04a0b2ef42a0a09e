#pragma once
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>

// ioctl is variadic, and Swift does not import variadic functions.
static inline int cpty_set_exclusive(int descriptor) {
    return ioctl(descriptor, TIOCEXCL);
}
