#pragma once

// Makes system calls of a program fail, to see what it does then: on a disk that is full or broken, or on
// a network that loses connections.
//
// It has no functions to call. The library is preloaded (LD_PRELOAD, ld.so(8)), and told by the
// environment what to do; without FAULTS_CALL it does nothing.
//
//   FAULTS_CALL     write, sync, truncate or read: on files whose path begins with FAULTS_PATH;
//                   send or receive: on sockets of IPv4; clock: the question whether it is synchronized
//   FAULTS_PATH     see there
//   FAULTS_FIRST    the first such call that fails, counted from 1
//   FAULTS_TIMES    how many fail from there on; 0: all
//   FAULTS_ERROR    the errno they fail with; 0: half of a write or send is done, a receive finds the end
//   FAULTS_HANG     1: they do not return, until the process is ended
//   FAULTS_WHILE    a path: they only fail as long as there is something
//   FAULTS_REPORT   a file that is created when the first of them fails
