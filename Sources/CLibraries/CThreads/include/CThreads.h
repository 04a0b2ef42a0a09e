#pragma once

#include <stdint.h>

// What sleeping threads need of Linux that Swift's Glibc does not show. It includes no header that
// declares `timespec`: that would become this module's.

// Makes a timer on CLOCK_BOOTTIME, which stands still; reading 8 bytes from its descriptor waits for it
// (timerfd_create(2)). Returns -1 and sets errno when the system has none left.
int cthreads_make_timer(void);

// Sets a timer to so many nanoseconds since boot, which may have passed; 0 stops it.
void cthreads_set_timer(int timer, int64_t nanoseconds);

// Makes a watch that notices steps of CLOCK_REALTIME from now on (TFD_TIMER_CANCEL_ON_SET in
// timerfd_create(2)). Returns its descriptor, or -1 and sets errno when the system has none left.
int cthreads_make_step_watch(void);

// Waits until the clock has been stepped, or the watch was ended, perhaps before the call.
void cthreads_wait_for_step(int watch);

// Ends a watch: who waits for it, now or later, goes on.
void cthreads_end_step_watch(int watch);

// Whether something keeps CLOCK_REALTIME right, as the kernel was told (STA_UNSYNC in adjtimex(2)):
// 1 yes, 0 no, -1 not known, because a sandbox forbids to ask.
int cthreads_is_clock_synchronized(void);

struct pollfd;

// Waits for descriptors like ppoll(2), which Swift's Glibc does not show: at most so many microseconds,
// or for ever where they are negative.
int cthreads_poll(struct pollfd *descriptors, unsigned long count, int64_t microseconds);

// What the present thread was told of the pool that it belongs to; NULL before it was told.
void *cthreads_pool_worker(void);

// Tells the present thread of the pool that it belongs to.
void cthreads_set_pool_worker(void *worker);

// Names the present thread, for those who look at it from outside; at most 15 bytes count.
void cthreads_name_thread(const char *name);
