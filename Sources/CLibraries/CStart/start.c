#define _GNU_SOURCE
#include "CStart.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The signals are caught, not blocked: Dispatch lets the main thread wait with no signal blocked
// (dispatch_main), and there a signal that nobody catches would end the process.
static sem_t signals;
static volatile sig_atomic_t last_stop;
static volatile sig_atomic_t stop_count;
static int stops_taken;
static int has_begun;

// sem_post is the one way to wake a thread that is allowed here (signal-safety(7)).
static void note_signal(int number) {
    int saved = errno;
    if (number != SIGHUP) {
        last_stop = number;
        stop_count = stop_count + 1;
    }
    sem_post(&signals);
    errno = saved;
}

static void set_action(void (*handler)(int)) {
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 3; i++) sigaddset(&action.sa_mask, numbers[i]);
    for (int i = 0; i < 3; i++) {
        struct sigaction before;
        // A shell without job control starts what is in the background with SIGINT ignored, and nohup(1)
        // ignores SIGHUP: so it stays.
        int stays = numbers[i] != SIGTERM && sigaction(numbers[i], NULL, &before) == 0
            && before.sa_handler == SIG_IGN;
        if (!stays) sigaction(numbers[i], &action, NULL);
    }
    // Whoever started the program may have blocked them.
    sigprocmask(SIG_UNBLOCK, &action.sa_mask, NULL);
}

// The descriptors 0 to 2 are written to by their numbers. Where one of them was closed, the lock of the
// data folder or a port would get its number, and then the log.
//
// What stands in for standard output cannot be written to: a result that nobody gets is a failure. The log
// is lost without a word, for there is nowhere to say it.
//
// The kernel is called directly: libraries that are preloaded (ld.so(8)) to stand in for open(2) and
// close(2) cannot do so yet, before their constructors have run.
static void fill_standard_descriptors(void) {
    int opened = 0;
    do {
        opened = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
        if (opened == STDOUT_FILENO) {
            syscall(SYS_close, opened);
            opened = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY);
        }
    } while (opened >= STDIN_FILENO && opened <= STDERR_FILENO);
    if (opened > STDERR_FILENO) syscall(SYS_close, opened);
}

static int wait_for(sem_t *signals, double seconds) {
    struct timespec end;
    int result;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)seconds;
    end.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (end.tv_nsec >= 1000000000L) {
        end.tv_sec += 1;
        end.tv_nsec -= 1000000000L;
    }
    do {
        result = seconds < 0 ? sem_wait(signals) : sem_clockwait(signals, CLOCK_MONOTONIC, &end);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

static sem_t resizes;

static void note_resize(int number) {
    int saved = errno;
    (void)number;
    sem_post(&resizes);
    errno = saved;
}

void cstart_catch_resizes(void) {
    struct sigaction action = {.sa_handler = note_resize, .sa_flags = SA_RESTART};
    sem_init(&resizes, 0, 0);
    sigaction(SIGWINCH, &action, NULL);
}

int cstart_wait_for_resize(double seconds) {
    return wait_for(&resizes, seconds);
}

void cstart_begin(void) {
    if (has_begun) return;
    has_begun = 1;
    fill_standard_descriptors();
    sem_init(&signals, 0, 0);
    set_action(note_signal);
}

void cstart_share_heap(void) {
    mallopt(M_ARENA_MAX, 1);
}

void cstart_allow_signals(void) {
    set_action(SIG_DFL);
    if (sem_trywait(&signals) == 0) raise(stop_count > 0 ? last_stop : SIGHUP);
}

int cstart_wait_for_signal(double seconds) {
    if (!wait_for(&signals, seconds)) return 0;
    if (stop_count == stops_taken) return SIGHUP;
    stops_taken++;
    return last_stop;
}
