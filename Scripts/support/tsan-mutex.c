// Describes to ThreadSanitizer what the standard library's Mutex orders.
//
// Synchronization.Mutex takes and gives back a contended lock inside libswiftSynchronization.so (FUTEX_LOCK_PI), which is
// not instrumented: the sanitizer does not see that one thread's unlock comes before another's lock, and reports every
// access under such a lock as a race. These two functions stand before the library's (LD_PRELOAD), call them, and say so.
// The uncontended path is inlined into our own code and seen as it is.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

typedef __attribute__((swiftcall)) void (*LockSlow)(uint32_t, __attribute__((swift_context)) void *);
typedef __attribute__((swiftcall)) void (*UnlockSlow)(__attribute__((swift_context)) void *);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

__attribute__((swiftcall)) void lock_slow(uint32_t self_id, __attribute__((swift_context)) void *handle) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) void lock_slow(uint32_t self_id, __attribute__((swift_context)) void *handle) {
    static LockSlow next;
    if (!next) next = (LockSlow)dlsym(RTLD_NEXT, LOCK_SLOW);
    next(self_id, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *handle) __asm__(UNLOCK_SLOW);
__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *handle) {
    static UnlockSlow next;
    if (!next) next = (UnlockSlow)dlsym(RTLD_NEXT, UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(handle);
    next(handle);
}
