#pragma once

#include <stdint.h>

// Counts what the present thread takes from malloc and its relatives. It stands in the place of the C
// library's own functions in every program that links it, so only the benchmarks do.

// How many times the present thread has asked for memory.
uint64_t cbenchmarks_allocations(void);

// Does nothing, which no compiler can see from outside: what is pointed to has to be there.
void cbenchmarks_use(const void *value);
