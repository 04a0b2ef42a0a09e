#pragma once
#include <sys/socket.h>
#include <sys/un.h>

// glibc shows it only to programs that define _GNU_SOURCE, which Swift's importer does not. accept(2)
// would leave a moment in which a child process could inherit the client.
int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
