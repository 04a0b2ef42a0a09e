#define _GNU_SOURCE
#include "CJournalLog.h"

#include <fcntl.h>

int cjournallog_allocate(int descriptor, int64_t size) { return fallocate(descriptor, 0, 0, size); }
