#pragma once
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>
#include <time.h>

// glibc; <poll.h> and <pthread.h> show them only to programs that define _GNU_SOURCE, which Swift's
// importer does not.
int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout,
          const sigset_t *signals);
int pthread_setname_np(pthread_t thread, const char *name);
