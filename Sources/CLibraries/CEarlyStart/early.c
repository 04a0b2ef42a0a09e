#include "CEarlyStart.h"
#include "CStart.h"

// A gateway that is told to stop must save what it has accepted, at any moment. Swift's own start-up
// takes milliseconds, in which a signal would just kill the process. So the signals are caught before
// main, before even the libraries' constructors run: a function in .preinit_array is the first of the
// program that the loader calls. It is apart from CStart so that only the program itself does this, not
// everything that is linked with the command's parts, such as tests.
__attribute__((section(".preinit_array"), used)) static void (*const begin_early)(void) =
    cstart_begin;
