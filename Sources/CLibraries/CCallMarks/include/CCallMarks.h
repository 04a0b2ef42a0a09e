// Marks of calls that may not return or may crash the process.
//
// A mark belongs to one caller at a time, which writes the names once and the start of each call. When
// a call crashes, a signal handler writes its mark to a file. A signal handler, and a stack for it,
// cannot be written in Swift.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The maximum length of a name, with its final null character.
#define CCALLMARKS_NAME_LENGTH 112
// The first bytes of the file of crashes.
#define CCALLMARKS_MAGIC "PGcrash1"

typedef struct ccallmarks_table ccallmarks_table;

// A copy of a mark.
typedef struct {
    // The start of the call in nanoseconds since boot; 0 between calls.
    int64_t since;
    // The number of finished calls, and the time that they took in nanoseconds.
    int64_t count;
    int64_t busy;
    char source[CCALLMARKS_NAME_LENGTH];
    char device[CCALLMARKS_NAME_LENGTH];
} ccallmarks_copy;

// The note that a crash leaves in the file.
typedef struct {
    char magic[8];
    int32_t signal;
    int32_t reserved;
    char source[CCALLMARKS_NAME_LENGTH];
    char device[CCALLMARKS_NAME_LENGTH];
} ccallmarks_crash;

ccallmarks_table *ccallmarks_make(int32_t count);
void ccallmarks_free(ccallmarks_table *table);

// Writes the names of a mark that is not in use, cut to their length.
void ccallmarks_take(ccallmarks_table *table, int32_t index, const char *source, const char *device);
void ccallmarks_release(ccallmarks_table *table, int32_t index);

// Mark the start and the end of a call.
void ccallmarks_begin(ccallmarks_table *table, int32_t index);
void ccallmarks_end(ccallmarks_table *table, int32_t index);

// Copies a mark; false when it is not in use.
bool ccallmarks_read(ccallmarks_table *table, int32_t index, ccallmarks_copy *copy);

// Lets the signals of a fault write the mark of the thread that caused it to a file, before they end
// the process as they would have done. The table and the descriptor must stay valid.
void ccallmarks_watch_faults(ccallmarks_table *table, int32_t file);

// Gives the calling thread a stack for signal handlers, so that the overflow of its own stack can be
// handled; the second function removes it at the end of the thread.
void *ccallmarks_add_signal_stack(void);
void ccallmarks_remove_signal_stack(void *stack);
