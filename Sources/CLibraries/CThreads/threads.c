#define _GNU_SOURCE
#include "CThreads.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>

int cthreads_make_timer(void) {
    return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
}

void cthreads_set_timer(int timer, int64_t nanoseconds) {
    struct itimerspec setting = {
        .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, NULL);
}

void cthreads_name_thread(const char *name) {
    char cut[16];
    snprintf(cut, sizeof cut, "%s", name);
    pthread_setname_np(pthread_self(), cut);
}
