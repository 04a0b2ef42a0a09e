#pragma once

#include <stdint.h>

// What sleeping threads need of Linux that Swift's Glibc does not show. It includes no header that
// declares `timespec`: that would become this module's.

// Makes a timer on CLOCK_BOOTTIME, which stands still; reading 8 bytes from its descriptor waits for it
// (timerfd_create(2)). Returns -1 and sets errno when the system has none left.
int cthreads_make_timer(void);

// Sets a timer to so many nanoseconds since boot, which may have passed; 0 stops it.
void cthreads_set_timer(int timer, int64_t nanoseconds);

// Names the present thread, for those who look at it from outside; at most 15 bytes count.
void cthreads_name_thread(const char *name);
