#define _GNU_SOURCE
#include "CCallMarks.h"

#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    _Atomic bool used;
    _Atomic int32_t thread;
    _Atomic int64_t since;
    _Atomic int64_t count;
    _Atomic int64_t busy;
    _Atomic int64_t kept;
    // The allocated memory at the start of the call; 0 when it is not measured. The owner's alone.
    int64_t memory;
    char source[CCALLMARKS_NAME_LENGTH];
    char device[CCALLMARKS_NAME_LENGTH];
} slot;

struct ccallmarks_table {
    int32_t count;
    _Atomic bool measures;
    slot slots[];
};

static const int fault_signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { fault_count = sizeof fault_signals / sizeof fault_signals[0], stack_size = 64 * 1024 };

// A signal handler gets no context but its number, so it needs these. They are written before the
// handler is installed.
static ccallmarks_table *watched_table;
static int crash_file;
static struct sigaction previous[fault_count];

ccallmarks_table *ccallmarks_make(int32_t count) {
    ccallmarks_table *table = calloc(1, sizeof *table + (size_t)count * sizeof(slot));
    if (table != NULL) table->count = count;
    return table;
}

void ccallmarks_free(ccallmarks_table *table) { free(table); }

void ccallmarks_take(ccallmarks_table *table, int32_t index, const char *source, const char *device) {
    slot *slot = &table->slots[index];
    snprintf(slot->source, sizeof slot->source, "%s", source);
    snprintf(slot->device, sizeof slot->device, "%s", device);
    atomic_store(&slot->kept, 0);
    atomic_store(&slot->used, true);
}

void ccallmarks_release(ccallmarks_table *table, int32_t index) {
    slot *slot = &table->slots[index];
    atomic_store(&slot->used, false);
    atomic_store(&slot->since, 0);
}

static int64_t now(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int32_t thread(void) {
    static _Thread_local int32_t thread;
    if (thread == 0) thread = gettid();
    return thread;
}

static int64_t allocated(void) {
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
}

void ccallmarks_measure_memory(ccallmarks_table *table, bool measures) {
    for (int32_t index = 0; index < table->count && measures; index++) {
        atomic_store(&table->slots[index].kept, 0);
    }
    atomic_store(&table->measures, measures);
}

void ccallmarks_begin(ccallmarks_table *table, int32_t index) {
    slot *slot = &table->slots[index];
    bool measures = atomic_load_explicit(&table->measures, memory_order_relaxed);
    slot->memory = measures ? allocated() : 0;
    atomic_store_explicit(&slot->thread, thread(), memory_order_relaxed);
    // Sequentially consistent: the caller then looks whether anybody watches.
    atomic_store(&slot->since, now());
}

void ccallmarks_end(ccallmarks_table *table, int32_t index) {
    // Only the owner of the mark writes these.
    slot *slot = &table->slots[index];
    if (slot->memory != 0) atomic_fetch_add(&slot->kept, allocated() - slot->memory);
    int64_t since = atomic_load_explicit(&slot->since, memory_order_relaxed);
    int64_t busy = atomic_load_explicit(&slot->busy, memory_order_relaxed);
    int64_t count = atomic_load_explicit(&slot->count, memory_order_relaxed);
    atomic_store_explicit(&slot->busy, busy + now() - since, memory_order_relaxed);
    atomic_store_explicit(&slot->count, count + 1, memory_order_relaxed);
    atomic_store_explicit(&slot->since, 0, memory_order_release);
}

bool ccallmarks_read(ccallmarks_table *table, int32_t index, ccallmarks_copy *copy) {
    slot *slot = &table->slots[index];
    if (!atomic_load(&slot->used)) return false;
    copy->since = atomic_load(&slot->since);
    copy->count = atomic_load(&slot->count);
    copy->busy = atomic_load(&slot->busy);
    copy->kept = atomic_load(&slot->kept);
    // The last character stays null whatever a new owner writes meanwhile.
    memcpy(copy->source, slot->source, sizeof copy->source - 1);
    memcpy(copy->device, slot->device, sizeof copy->device - 1);
    copy->source[sizeof copy->source - 1] = 0;
    copy->device[sizeof copy->device - 1] = 0;
    return true;
}

static void write_crash(const slot *slot, int signal) {
    ccallmarks_crash crash = {.signal = signal};
    memcpy(crash.magic, CCALLMARKS_MAGIC, sizeof crash.magic);
    memcpy(crash.source, slot->source, sizeof crash.source);
    memcpy(crash.device, slot->device, sizeof crash.device);
    // Nothing can be done about a failure here.
    if (pwrite(crash_file, &crash, sizeof crash, 0) < 0) return;
}

static void fault(int signal) {
    int32_t own = gettid();
    for (int32_t index = 0; index < watched_table->count; index++) {
        slot *slot = &watched_table->slots[index];
        if (atomic_load(&slot->since) == 0 || atomic_load(&slot->thread) != own) continue;
        write_crash(slot, signal);
        break;
    }
    for (int index = 0; index < fault_count; index++) {
        if (fault_signals[index] == signal) sigaction(signal, &previous[index], NULL);
    }
    // A fault happens again after the return, with the action that was there before. A signal that
    // another process has sent, as systemd does when its watchdog expires, would be lost.
    raise(signal);
}

void ccallmarks_watch_faults(ccallmarks_table *table, int32_t file) {
    watched_table = table;
    crash_file = file;
    struct sigaction action = {.sa_handler = fault, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < fault_count; index++) {
        sigaction(fault_signals[index], &action, &previous[index]);
    }
}

void *ccallmarks_add_signal_stack(void) {
    void *memory = mmap(
        NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    stack_t stack = {.ss_sp = memory, .ss_size = stack_size};
    if (sigaltstack(&stack, NULL) == 0) return memory;
    munmap(memory, stack_size);
    return NULL;
}

void ccallmarks_remove_signal_stack(void *memory) {
    if (memory == NULL) return;
    stack_t stack = {.ss_flags = SS_DISABLE};
    sigaltstack(&stack, NULL);
    munmap(memory, stack_size);
}
