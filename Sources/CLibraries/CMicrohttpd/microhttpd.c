#include "CMicrohttpd.h"

#include <dlfcn.h>

const char *cmicrohttpd_open(const char *file, struct cmicrohttpd_functions *functions) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define LOOK_UP(name)                                                                             \
    functions->name = (__typeof__(functions->name))dlsym(library, "MHD_" #name);                  \
    if (!functions->name) return dlerror();
    CMICROHTTPD_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return NULL;
}

// The target is decoded by the owner of the server, who also sees what is not valid.
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

struct MHD_Daemon *cmicrohttpd_start(cmicrohttpd_table mhd,
                                     const struct cmicrohttpd_settings *settings) {
    return mhd->start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, settings->handle,
        settings->context,
        MHD_OPTION_LISTEN_SOCKET, settings->socket,
        MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout_seconds,
        MHD_OPTION_NOTIFY_COMPLETED, settings->complete, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->notify, settings->context,
        MHD_OPTION_URI_LOG_CALLBACK, settings->begin, settings->context,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
}
