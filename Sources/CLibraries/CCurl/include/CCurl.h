#pragma once

#include <curl/curl.h>
#include <stddef.h>

// libcurl without being linked with it: its functions are looked up at run time. With it come the
// shared libraries of TLS, Kerberos and LDAP, which take longer to load than the rest of the program.
// A function named curl_… must not be called: only those of the table are there.

#define CCURL_FUNCTIONS(FUNCTION)                                                                 \
    FUNCTION(easy_cleanup)                                                                        \
    FUNCTION(easy_getinfo)                                                                        \
    FUNCTION(easy_init)                                                                           \
    FUNCTION(easy_setopt)                                                                         \
    FUNCTION(easy_strerror)                                                                       \
    FUNCTION(free)                                                                                \
    FUNCTION(getdate)                                                                             \
    FUNCTION(global_init)                                                                         \
    FUNCTION(multi_add_handle)                                                                    \
    FUNCTION(multi_cleanup)                                                                       \
    FUNCTION(multi_info_read)                                                                     \
    FUNCTION(multi_init)                                                                          \
    FUNCTION(multi_perform)                                                                       \
    FUNCTION(multi_poll)                                                                          \
    FUNCTION(multi_remove_handle)                                                                 \
    FUNCTION(multi_setopt)                                                                        \
    FUNCTION(multi_strerror)                                                                      \
    FUNCTION(slist_append)                                                                        \
    FUNCTION(slist_free_all)                                                                      \
    FUNCTION(url)                                                                                 \
    FUNCTION(url_cleanup)                                                                         \
    FUNCTION(url_get)                                                                             \
    FUNCTION(url_set)

// Each with the type that libcurl's header gives it.
#define CCURL_FIELD(name) __typeof__(curl_##name) *_Nonnull name;
struct ccurl_functions {
    CCURL_FUNCTIONS(CCURL_FIELD)
};
#undef CCURL_FIELD

// Opens a library that is libcurl, and looks its functions up; it stays open for ever. Any threads may
// call it. Returns NULL, or the dynamic linker's words why there is none; they last until the
// thread's next call.
const char *_Nullable ccurl_open(const char *_Nonnull file,
                                 struct ccurl_functions *_Nonnull functions);

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, and Swift does not import
// variadic functions. What they take depends on the option: a function here for each type.

typedef const struct ccurl_functions *_Nonnull ccurl_table;
typedef size_t (*ccurl_bytes_function)(char *_Nullable bytes, size_t size, size_t count,
                                       void *_Nullable context);
typedef int (*ccurl_seek_function)(void *_Nullable context, curl_off_t offset, int origin);

static inline CURLcode ccurl_set_long(ccurl_table curl, CURL *_Nullable handle, CURLoption option,
                                      long value) {
    return curl->easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_size(ccurl_table curl, CURL *_Nullable handle, CURLoption option,
                                      curl_off_t value) {
    return curl->easy_setopt(handle, option, value);
}

// The text is copied; NULL stands for none.
static inline CURLcode ccurl_set_text(ccurl_table curl, CURL *_Nullable handle, CURLoption option,
                                      const char *_Nullable value) {
    return curl->easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(ccurl_table curl, CURL *_Nullable handle,
                                         CURLoption option, void *_Nullable value) {
    return curl->easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(ccurl_table curl, CURL *_Nullable handle, CURLoption option,
                                      struct curl_slist *_Nullable value) {
    return curl->easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_bytes_function(ccurl_table curl, CURL *_Nullable handle,
                                                CURLoption option,
                                                ccurl_bytes_function _Nullable value) {
    return curl->easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_seek_function(ccurl_table curl, CURL *_Nullable handle,
                                               ccurl_seek_function _Nullable value) {
    return curl->easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

static inline long ccurl_get_long(ccurl_table curl, CURL *_Nullable handle, CURLINFO info) {
    long value = 0;
    return curl->easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

static inline CURLMcode ccurl_multi_set_long(ccurl_table curl, CURLM *_Nullable multi,
                                             CURLMoption option, long value) {
    return curl->multi_setopt(multi, option, value);
}

// CURLMsg holds its result in a union.
static inline CURLcode ccurl_message_result(const CURLMsg *_Nonnull message) {
    return message->data.result;
}

// A cast that Swift does not import.
static inline long ccurl_global_everything(void) {
    return CURL_GLOBAL_DEFAULT;
}
