#define _GNU_SOURCE
#include "CRename.h"

#include <fcntl.h>
#include <stdio.h>

int crename_to_unused(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}
