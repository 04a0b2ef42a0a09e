#include "CCrypto.h"

#include <dlfcn.h>
#include <string.h>

// openssl/evp.h.
enum { set_nonce_length = 0x9, set_tag = 0x11, longest_tag = 16 };

const char *ccrypto_open(const char *file, struct ccrypto_functions *functions) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define LOOK_UP(field, name)                                                                      \
    functions->field = (__typeof__(functions->field))dlsym(library, name);                        \
    if (!functions->field) return dlerror();
    LOOK_UP(context_new, "EVP_CIPHER_CTX_new")
    LOOK_UP(context_free, "EVP_CIPHER_CTX_free")
    LOOK_UP(aes_128_ccm, "EVP_aes_128_ccm")
    LOOK_UP(decrypt_init, "EVP_DecryptInit_ex")
    LOOK_UP(control, "EVP_CIPHER_CTX_ctrl")
    LOOK_UP(decrypt_update, "EVP_DecryptUpdate")
#undef LOOK_UP
    return NULL;
}

int ccrypto_decrypt_ccm(const struct ccrypto_functions *crypto, const uint8_t *key,
                        const uint8_t *nonce, int nonce_length, const uint8_t *text, int length,
                        const uint8_t *tag, int tag_length, uint8_t *plain) {
    uint8_t expected[longest_tag];
    if (tag_length < 0 || tag_length > longest_tag) return 0;
    memcpy(expected, tag, (size_t)tag_length);
    void *context = crypto->context_new();
    if (!context) return 0;
    int written = 0;
    int is_good =
        crypto->decrypt_init(context, crypto->aes_128_ccm(), NULL, NULL, NULL) == 1 &&
        crypto->control(context, set_nonce_length, nonce_length, NULL) == 1 &&
        crypto->control(context, set_tag, tag_length, expected) == 1 &&
        crypto->decrypt_init(context, NULL, NULL, key, nonce) == 1 &&
        crypto->decrypt_update(context, plain, &written, text, length) == 1 && written == length;
    crypto->context_free(context);
    return is_good;
}
