#pragma once

// Locks of open files (fcntl(2), "Open file description locks") in C: fcntl(2) takes a variable number of
// arguments, and the names of these locks are only there with _GNU_SOURCE.

// Locks the whole file for this open file alone; it must be open for writing.
//
// With `wait` it blocks until nobody else has the lock. Returns 0, or -1 and errno: EAGAIN or EACCES when
// somebody else has it.
int cfilelocks_lock(int descriptor, int wait);

// Unlocks the whole file.
void cfilelocks_unlock(int descriptor);

// Whether another open file has the lock; it is not taken to find out.
int cfilelocks_is_locked(int descriptor);
