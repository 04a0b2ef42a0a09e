#pragma once

#include <stddef.h>
#include <stdint.h>

// OpenSSL's libcrypto without being linked with it: it is looked up at run time, since few gateways
// need it. No header of OpenSSL is needed: the types are opaque, and the functions and numbers below are
// the same in its versions 1.1 and 3.

struct ccrypto_functions {
    void *_Nullable (*_Nonnull context_new)(void);
    void (*_Nonnull context_free)(void *_Nullable context);
    const void *_Nullable (*_Nonnull aes_128_ccm)(void);
    int (*_Nonnull decrypt_init)(void *_Nonnull context, const void *_Nullable cipher,
                                 void *_Nullable engine, const uint8_t *_Nullable key,
                                 const uint8_t *_Nullable nonce);
    int (*_Nonnull control)(void *_Nonnull context, int type, int value, void *_Nullable pointer);
    int (*_Nonnull decrypt_update)(void *_Nonnull context, uint8_t *_Nullable plain,
                                   int *_Nonnull plain_length, const uint8_t *_Nullable text,
                                   int length);
};

// Opens a library that is libcrypto, and looks its functions up; it stays open for ever. Any threads
// may call it. Returns NULL, or the dynamic linker's words why there is none; they last until the
// thread's next call.
const char *_Nullable ccrypto_open(const char *_Nonnull file,
                                   struct ccrypto_functions *_Nonnull functions);

// Decrypts `length` bytes with AES-128 in the mode CCM (RFC 3610), without associated data, and checks the
// tag. Returns 1, or 0 when the tag does not fit; then nothing of `plain` may be used.
int ccrypto_decrypt_ccm(const struct ccrypto_functions *_Nonnull crypto,
                        const uint8_t *_Nonnull key, const uint8_t *_Nonnull nonce,
                        int nonce_length, const uint8_t *_Nonnull text, int length,
                        const uint8_t *_Nonnull tag, int tag_length, uint8_t *_Nonnull plain);
