#include "CCurl.h"

#include <dlfcn.h>

const char *ccurl_open(const char *file, struct ccurl_functions *functions) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define LOOK_UP(name)                                                                             \
    functions->name = (__typeof__(functions->name))dlsym(library, "curl_" #name);                 \
    if (!functions->name) return dlerror();
    CCURL_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return NULL;
}
