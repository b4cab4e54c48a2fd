// What OpenSSL 3 deprecates is not even declared.
#define OPENSSL_API_COMPAT 30000
#define OPENSSL_NO_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

/// A context of our own, where the system's openssl.cnf cannot allow or forbid an algorithm. It lasts as long as the process:
/// threads that still hash while the process exits must not find it cleaned up.
static inline OSSL_LIB_CTX *candlewire_new_library_context(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, 0);
    return OSSL_LIB_CTX_new();
}
