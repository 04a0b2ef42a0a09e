#include "CStart.h"

#include <pthread.h>
#include <signal.h>

// A gateway that is told to stop must save what it has accepted, at any moment. Swift's own start-up
// takes milliseconds, in which a signal would just kill the process. So the signals are held back
// before main, before even the libraries' constructors run: a function in .preinit_array is the first
// of the program that the loader calls.
static void stop_signals(sigset_t *set) {
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

static void hold_stop_signals(void) {
    sigset_t set;
    stop_signals(&set);
    sigprocmask(SIG_BLOCK, &set, 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const hold)(void) =
    hold_stop_signals;

void cstart_allow_stop_signals(void) {
    sigset_t set;
    stop_signals(&set);
    pthread_sigmask(SIG_UNBLOCK, &set, 0);
}

int cstart_wait_for_stop_signal(void) {
    sigset_t set;
    int number = 0;
    stop_signals(&set);
    while (sigwait(&set, &number) != 0) {
    }
    return number;
}
