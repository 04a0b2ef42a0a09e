#define _GNU_SOURCE
#include "CFileLocks.h"

#include <fcntl.h>
#include <unistd.h>

// A length of 0 is the whole file, however long it becomes.
static struct flock whole_file(short type) {
    return (struct flock){.l_type = type, .l_whence = SEEK_SET};
}

int cfilelocks_lock(int descriptor, int wait) {
    struct flock lock = whole_file(F_WRLCK);
    return fcntl(descriptor, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
}

void cfilelocks_unlock(int descriptor) {
    struct flock lock = whole_file(F_UNLCK);
    fcntl(descriptor, F_OFD_SETLK, &lock);
}

int cfilelocks_is_locked(int descriptor) {
    struct flock lock = whole_file(F_WRLCK);
    return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
