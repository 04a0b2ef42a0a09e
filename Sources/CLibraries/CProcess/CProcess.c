#define _GNU_SOURCE

#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct program {
    char *const *arguments;
    char *const *environment;
    const char *directory;
    const int *streams;
    int has_own_group;
    int ends_with_thread;
    pid_t parent;
};

// Makes `number` a copy of a descriptor that stays open in the program.
static int set_stream(int descriptor, int number) {
    if (descriptor < 0) return 0;
    // dup2(2) does nothing when both are the same.
    if (descriptor == number) return fcntl(number, F_SETFD, 0);
    return dup2(descriptor, number);
}

// Becomes the program, in the child of fork(2), where only functions of signal-safety(7) may be called.
//
// *report is where the errno goes that is returned on failure; it is moved out of the way of the streams.
static int become(const struct program *program, int *report) {
    int moved = fcntl(*report, F_DUPFD_CLOEXEC, 3);
    if (moved < 0) return errno;
    *report = moved;
    const struct sigaction action = {.sa_handler = SIG_DFL};
    // It fails for those that cannot be caught, and for those that glibc keeps for itself.
    for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
    if (program->has_own_group && setpgid(0, 0) < 0) return errno;
    for (int number = 0; number < 3; number++) {
        if (set_stream(program->streams[number], number) < 0) return errno;
    }
    if (*report != 3) {
        if (dup3(*report, 3, O_CLOEXEC) < 0) return errno;
        *report = 3;
    }
    closefrom(4);
    if (program->directory && chdir(program->directory) < 0) return errno;
    if (program->ends_with_thread) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return errno;
        // The thread may have ended before the call.
        if (getppid() != program->parent) _exit(127);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // It is searched in the PATH that it gets, and not in that of this process.
    environ = (char **)program->environment;
    execvp(program->arguments[0], program->arguments);
    return errno;
}

// Waits for the errno of the child; 0 when it has become the program, which closes the pipe.
static int wait_for_report(int report) {
    int code = 0;
    ssize_t count;
    do {
        count = read(report, &code, sizeof code);
    } while (count < 0 && errno == EINTR);
    return count == sizeof code ? code : 0;
}

int cprocess_spawn(
    char *const arguments[], char *const environment[], const char *directory,
    const int streams[3], int has_own_group, int ends_with_thread, int *process) {
    const struct program program = {
        arguments, environment ? environment : environ, directory, streams, has_own_group,
        ends_with_thread, getpid()};
    int report[2];
    if (pipe2(report, O_CLOEXEC) < 0) return errno;
    // No handler of this process may run in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) {
        int code = become(&program, &report[1]);
        if (write(report[1], &code, sizeof code) < 0) _exit(126);
        _exit(127);
    }
    int code = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (child > 0) code = wait_for_report(report[0]);
    close(report[0]);
    if (code != 0 && child > 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    *process = code == 0 ? child : 0;
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

int cprocess_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}
