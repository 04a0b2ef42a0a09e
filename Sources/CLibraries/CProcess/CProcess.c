#define _GNU_SOURCE

#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void set_attributes(posix_spawnattr_t *attributes, int has_own_group) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (has_own_group) {
        posix_spawnattr_setpgroup(attributes, 0);
        flags |= POSIX_SPAWN_SETPGROUP;
    }
    posix_spawnattr_setflags(attributes, flags);
}

int cprocess_spawn(
    char *const arguments[], char *const environment[], const char *directory,
    const int streams[3], int has_own_group, int *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    set_attributes(&attributes, has_own_group);
    for (int number = 0; number < 3; number++) {
        if (streams[number] >= 0) {
            posix_spawn_file_actions_adddup2(&actions, streams[number], number);
        }
    }
    if (directory) posix_spawn_file_actions_addchdir_np(&actions, directory);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    pid_t started = 0;
    int code =
        posix_spawnp(&started, arguments[0], &actions, &attributes, arguments,
            environment ? environment : environ);
    *process = started;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int cprocess_make_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int cprocess_open(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

long cprocess_write(int descriptor, const void *bytes, unsigned long count) {
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    long result = write(descriptor, bytes, count);
    int code = errno;
    // The signal of this write is of this thread; one that was pending before is not taken.
    if (result < 0 && code == EPIPE && !sigismember(&pending, SIGPIPE)) {
        const struct timespec now = {0, 0};
        while (sigtimedwait(&pipe_signal, NULL, &now) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return result;
}
