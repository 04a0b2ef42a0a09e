#pragma once

// renameat2(2) in C: it is only declared with _GNU_SOURCE.

// Renames a file unless there is one with the new name.
//
// Returns 0, or -1 and errno: EEXIST when there is one, EINVAL or ENOSYS when the file system cannot do it.
int crename_to_unused(const char *from, const char *to);
