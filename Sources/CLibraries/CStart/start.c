#include "CStart.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

// A gateway that is told to stop must save what it has accepted, at any moment. Swift's own start-up
// takes milliseconds, in which a signal would just kill the process. So the signals are caught before
// main, before even the libraries' constructors run: a function in .preinit_array is the first of the
// program that the loader calls.
//
// They are caught, not blocked: Dispatch lets the main thread wait with no signal blocked
// (dispatch_main), and there a signal that nobody catches would end the process.
static sem_t stops;
static volatile sig_atomic_t last_stop;

// sem_post is the one way to wake a thread that is allowed here (signal-safety(7)).
static void note_stop(int number) {
    int saved = errno;
    last_stop = number;
    sem_post(&stops);
    errno = saved;
}

static void set_action(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // Whoever started the program may have blocked them.
    sigprocmask(SIG_UNBLOCK, &action.sa_mask, NULL);
}

// The descriptors 0 to 2 are written to by their numbers. Where one of them was closed, the lock of the
// data folder or a port would get its number, and then the log.
static void fill_standard_descriptors(void) {
    int opened = 0;
    do {
        opened = open("/dev/null", O_RDWR);
    } while (opened >= STDIN_FILENO && opened <= STDERR_FILENO);
    if (opened > STDERR_FILENO) close(opened);
}

static void begin(void) {
    fill_standard_descriptors();
    sem_init(&stops, 0, 0);
    set_action(note_stop);
}

__attribute__((section(".preinit_array"), used)) static void (*const begin_early)(void) = begin;

void cstart_allow_stop_signals(void) {
    set_action(SIG_DFL);
    if (sem_trywait(&stops) == 0) raise(last_stop);
}

void cstart_wait_for_stop_signal(void) {
    while (sem_wait(&stops) != 0) {
    }
}
