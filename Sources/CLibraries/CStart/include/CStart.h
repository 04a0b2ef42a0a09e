#pragma once

// Begins to catch SIGINT, SIGTERM and SIGHUP, and sees that the descriptors 0 to 2 are open; where
// standard output was closed writing to it fails. Once is enough; again does nothing.
void cstart_begin(void);

// Lets all threads share one heap; to be called before there are any. What one thread fills another lets
// go, and with a heap for each, as is glibc's way, every thread would keep the memory of the largest
// batches.
void cstart_share_heap(void);

// Gives the signals their usual effect back, also to one that came already: a command that ends by
// itself wants them to end it.
void cstart_allow_signals(void);

// Begins to catch SIGWINCH, which tells that the terminal has another size.
void cstart_catch_resizes(void);

// Waits for a SIGWINCH; one that came before counts too. Returns 0 when none has come in so many seconds;
// with a negative number it waits for ever.
int cstart_wait_for_resize(double seconds);

// Waits for a signal; one that came before counts too, and stops come before SIGHUP. Returns its number,
// or 0 when none has come in so many seconds; with a negative number it waits for ever.
int cstart_wait_for_signal(double seconds);
