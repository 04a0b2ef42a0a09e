#define _GNU_SOURCE
#include "CThreads.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int cthreads_make_timer(void) {
    return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
}

void cthreads_set_timer(int timer, int64_t nanoseconds) {
    struct itimerspec setting = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, NULL);
}

int cthreads_make_step_watch(void) {
    int watch = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    if (watch < 0) return -1;
    // In the year 2262, the last that the kernel can count to. ECANCELED means that the clock was
    // stepped just now, and that the timer is set all the same.
    struct itimerspec never = {.it_value = {.tv_sec = INT64_MAX / 1000000000}};
    timerfd_settime(watch, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
    return watch;
}

void cthreads_wait_for_step(int watch) {
    uint64_t expirations;
    while (read(watch, &expirations, sizeof expirations) < 0 && errno == EINTR) {}
}

void cthreads_end_step_watch(int watch) {
    struct itimerspec past = {.it_value = {.tv_nsec = 1}};
    timerfd_settime(watch, TFD_TIMER_ABSTIME, &past, NULL);
}

int cthreads_is_clock_synchronized(void) {
    struct timex state = {.modes = 0};
    if (adjtimex(&state) < 0) return -1;
    return (state.status & STA_UNSYNC) == 0;
}

int cthreads_poll(struct pollfd *descriptors, unsigned long count, int64_t microseconds) {
    struct timespec timeout = {
        .tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};
    return ppoll(descriptors, count, microseconds < 0 ? NULL : &timeout, NULL);
}

static _Thread_local void *pool_worker;

void *cthreads_pool_worker(void) { return pool_worker; }

void cthreads_set_pool_worker(void *worker) { pool_worker = worker; }

void cthreads_name_thread(const char *name) {
    char cut[16];
    snprintf(cut, sizeof cut, "%s", name);
    pthread_setname_np(pthread_self(), cut);
}
