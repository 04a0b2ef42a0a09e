#pragma once

// Child processes with what only _GNU_SOURCE shows, or what takes a variable number of arguments.

// Starts a program with these descriptors as its standard streams and no others, no blocked signal, and the
// default action for every signal.
//
// With `ends_with_thread` the kernel kills it when the calling thread ends, for whatever reason
// (PR_SET_PDEATHSIG, prctl(2)); not what it starts itself, and not a set-user-ID program.
//
// `arguments` and `environment` end with a null pointer; without an environment it gets this process's, without
// a directory this process's, and in the place of a stream that is -1 this process's. Returns 0 and sets
// *process, or returns an errno.
int cprocess_spawn(
    char *const arguments[], char *const environment[], const char *directory,
    const int streams[3], int has_own_group, int ends_with_thread, int *process);

// Makes a pipe whose ends are closed on exec(2): ends[0] is read. Returns 0, or -1 and errno.
int cprocess_make_pipe(int ends[2]);

// A descriptor of a process, readable when it has ended (pidfd_open(2)). Returns -1 and errno when there is
// none: ESRCH, EMFILE, ENFILE, ENOSYS before Linux 5.3.
int cprocess_open(int process);

// Writes as write(2) does, but for SIGPIPE, which the calling thread does not get: a pipe that nobody reads
// any more is EPIPE and nothing else.
long cprocess_write(int descriptor, const void *bytes, unsigned long count);

// The number of bytes in a pipe that its reader has not read (FIONREAD, ioctl(2)), at either end; 0 when it is
// unknown.
int cprocess_unread(int descriptor);
