#define _GNU_SOURCE
#include "CStart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

// A gateway that is told to stop must save what it has accepted, at any moment. Swift's own start-up
// takes milliseconds, in which a signal would just kill the process. So the handlers are installed
// before main, before even the libraries' constructors run: a function in .preinit_array is the first
// of the program that the loader calls.
//
// Holding the signals back with a mask would not do: dispatch's main thread waits with an empty one.

static int ends[2] = {-1, -1};
static volatile sig_atomic_t received = 0;

static void note_signal(int number) {
    int error = errno;
    char byte = 1;
    received = number;
    if (write(ends[1], &byte, 1) < 0) {
        // The pipe is full of earlier signals: one is enough.
    }
    errno = error;
}

static void set_action(void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, 0);
    sigaction(SIGTERM, &action, 0);
}

static void catch_stop_signals(void) {
    if (pipe2(ends, O_CLOEXEC) == 0) {
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        set_action(note_signal);
    }
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) =
    catch_stop_signals;

void cstart_allow_stop_signals(void) {
    set_action(SIG_DFL);
    if (received != 0) {
        raise(received);
    }
}

void cstart_wait_for_stop_signal(void) {
    char byte;
    while (read(ends[0], &byte, 1) < 0 && errno == EINTR) {
    }
}
