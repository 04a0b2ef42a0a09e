#include "cbenchmarks.h"

void cbenchmarks_use(const void *value) {
    (void)value;
}
