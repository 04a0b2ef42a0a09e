#pragma once

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// libmicrohttpd without being linked with it: its functions are looked up at run time, because most
// gateways serve no web page, and with it come the shared libraries of TLS.
// A function named MHD_… must not be called: only those of the table are there.

#define CMICROHTTPD_FUNCTIONS(FUNCTION)                                                           \
    FUNCTION(add_response_header)                                                                 \
    FUNCTION(create_response_from_buffer)                                                         \
    FUNCTION(create_response_from_callback)                                                       \
    FUNCTION(destroy_response)                                                                    \
    FUNCTION(get_connection_info)                                                                 \
    FUNCTION(get_connection_values)                                                               \
    FUNCTION(get_daemon_info)                                                                     \
    FUNCTION(get_timeout)                                                                         \
    FUNCTION(get_version)                                                                         \
    FUNCTION(queue_response)                                                                      \
    FUNCTION(resume_connection)                                                                   \
    FUNCTION(run)                                                                                 \
    FUNCTION(start_daemon)                                                                        \
    FUNCTION(stop_daemon)                                                                         \
    FUNCTION(suspend_connection)

// Each with the type that the header of libmicrohttpd gives it.
#define CMICROHTTPD_FIELD(name) __typeof__(MHD_##name) *_Nonnull name;
struct cmicrohttpd_functions {
    CMICROHTTPD_FUNCTIONS(CMICROHTTPD_FIELD)
};
#undef CMICROHTTPD_FIELD

typedef const struct cmicrohttpd_functions *_Nonnull cmicrohttpd_table;

// Opens a library that is libmicrohttpd, and looks its functions up; it stays open for ever. Any
// threads may call it. Returns NULL, or the dynamic linker's words why there is none; they last
// until the thread's next call.
const char *_Nullable cmicrohttpd_open(const char *_Nonnull file,
                                       struct cmicrohttpd_functions *_Nonnull functions);

// What a server needs of its owner.
struct cmicrohttpd_settings {
    // A listening socket, which the server closes.
    int socket;
    unsigned int connection_limit;
    // Of one connection: its headers must fit.
    size_t memory_limit;
    // After which a connection without traffic is closed.
    unsigned int timeout_seconds;
    void *_Nullable context;
    MHD_AccessHandlerCallback _Nonnull handle;
    MHD_RequestCompletedCallback _Nonnull complete;
    MHD_NotifyConnectionCallback _Nonnull notify;
    // Called with the target of a request as it was sent; its result is the request's context.
    void *_Nullable (*_Nonnull begin)(void *_Nullable context, const char *_Nonnull target,
                                      struct MHD_Connection *_Nonnull connection);
};

// Starts a server without a thread of its own. NULL when it cannot.
struct MHD_Daemon *_Nullable cmicrohttpd_start(cmicrohttpd_table mhd,
                                               const struct cmicrohttpd_settings *_Nonnull settings);

// The functions for information are variadic, and Swift does not import those.

static inline int cmicrohttpd_epoll(cmicrohttpd_table mhd, struct MHD_Daemon *_Nonnull daemon) {
    const union MHD_DaemonInfo *info = mhd->get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

static inline int cmicrohttpd_socket(cmicrohttpd_table mhd,
                                     struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info =
        mhd->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// How Swift imports the enumerations depends on the version of the header; these do not.

static inline enum MHD_Result cmicrohttpd_result(int is_yes) { return is_yes ? MHD_YES : MHD_NO; }
static inline int cmicrohttpd_is_yes(enum MHD_Result result) { return result == MHD_YES; }
static inline int cmicrohttpd_is_start(enum MHD_ConnectionNotificationCode code) {
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

// The milliseconds until the server has something to do; -1 when only a client can bring it.
static inline int64_t cmicrohttpd_timeout(cmicrohttpd_table mhd,
                                          struct MHD_Daemon *_Nonnull daemon) {
    MHD_UNSIGNED_LONG_LONG milliseconds = 0;
    return mhd->get_timeout(daemon, &milliseconds) == MHD_YES ? (int64_t)milliseconds : -1;
}

// Calls a function for each header of a request.
static inline void cmicrohttpd_headers(cmicrohttpd_table mhd,
                                       struct MHD_Connection *_Nonnull connection,
                                       MHD_KeyValueIterator _Nonnull iterator,
                                       void *_Nullable context) {
    mhd->get_connection_values(connection, MHD_HEADER_KIND, iterator, context);
}

// Makes a response of bytes, which are copied.
static inline struct MHD_Response *_Nullable cmicrohttpd_response(cmicrohttpd_table mhd,
                                                                  const void *_Nullable bytes,
                                                                  size_t count) {
    return mhd->create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// Casts that Swift does not import.
static inline uint64_t cmicrohttpd_unknown_size(void) { return MHD_SIZE_UNKNOWN; }
static inline ssize_t cmicrohttpd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t cmicrohttpd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
