// Preloaded into a server by Benchmarks/fanout and Tests/System/test_counted.py: counts what it does, in a file that they read
// (CANDLEWIRE_CALLS). Three numbers: allocations; writes to sockets; other calls of an event loop, which are waits, reads and what
// wakes a loop.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { allocations, sends, others, kinds };
static atomic_ulong unmapped[kinds];
static atomic_ulong* counts = unmapped;

static void count(int kind) { atomic_fetch_add_explicit(&counts[kind], 1, memory_order_relaxed); }

static void* (*next_malloc)(size_t);
static void* (*next_realloc)(void*, size_t);
static void* (*next_calloc)(size_t, size_t);
static int (*next_align)(void**, size_t, size_t);

static void __attribute__((constructor)) begin(void) {
    const char* path = getenv("CANDLEWIRE_CALLS");
    int file = path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof unmapped)) return;
    void* map = mmap(NULL, sizeof unmapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) counts = map;
}

void* malloc(size_t size) {
    if (!next_malloc) next_malloc = dlsym(RTLD_NEXT, "malloc");
    count(allocations);
    return next_malloc(size);
}

void* realloc(void* old, size_t size) {
    if (!next_realloc) next_realloc = dlsym(RTLD_NEXT, "realloc");
    count(allocations);
    return next_realloc(old, size);
}

// dlsym may call it before it can be found: from a small store that is never freed.
void* calloc(size_t items, size_t size) {
    static char store[4096];
    static size_t used;
    static int looking;
    if (!next_calloc) {
        if (looking) {
            void* place = store + used;
            used += (items * size + 15) & ~(size_t)15;
            return used <= sizeof store ? place : NULL;
        }
        looking = 1;
        next_calloc = dlsym(RTLD_NEXT, "calloc");
    }
    count(allocations);
    return next_calloc(items, size);
}

int posix_memalign(void** place, size_t alignment, size_t size) {
    if (!next_align) next_align = dlsym(RTLD_NEXT, "posix_memalign");
    count(allocations);
    return next_align(place, alignment, size);
}

// The system calls: each one counts and goes on to the C library's.
#define COUNTED(kind, result, name, parameters, arguments)                  \
    result name parameters {                                                \
        static result(*next) parameters;                                    \
        if (!next) next = (result(*) parameters)dlsym(RTLD_NEXT, #name);    \
        count(kind);                                                        \
        return next arguments;                                              \
    }

COUNTED(sends, ssize_t, send, (int socket, const void* bytes, size_t size, int flags), (socket, bytes, size, flags))
COUNTED(sends, ssize_t, sendmsg, (int socket, const struct msghdr* message, int flags), (socket, message, flags))
COUNTED(sends, ssize_t, writev, (int file, const struct iovec* parts, int count_of_parts), (file, parts, count_of_parts))
COUNTED(others, ssize_t, write, (int file, const void* bytes, size_t size), (file, bytes, size))
COUNTED(others, ssize_t, read, (int file, void* bytes, size_t size), (file, bytes, size))
COUNTED(others, ssize_t, recv, (int socket, void* bytes, size_t size, int flags), (socket, bytes, size, flags))
COUNTED(others, int, epoll_wait, (int set, struct epoll_event* events, int most, int timeout), (set, events, most, timeout))
