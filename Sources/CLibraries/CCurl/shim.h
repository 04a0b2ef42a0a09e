#pragma once
#include <curl/curl.h>
#include <stddef.h>
#include <sys/eventfd.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, and Swift does not import
// variadic functions. What they take depends on the option: a function here for each type.

typedef size_t (*ccurl_bytes_function)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_function)(void *context, curl_off_t offset, int origin);

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

// The text is copied; NULL stands for none.
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_bytes_function(CURL *handle, CURLoption option,
                                                ccurl_bytes_function value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_seek_function(CURL *handle, ccurl_seek_function value) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

static inline long ccurl_get_long(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// CURLMsg holds its result in a union.
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
    return message->data.result;
}

// A cast that Swift does not import.
static inline long ccurl_global_everything(void) {
    return CURL_GLOBAL_DEFAULT;
}
