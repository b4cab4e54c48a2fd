// Preloaded into a server by Benchmarks/fanout: counts its allocations in a file that the load generator reads.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_ulong unmapped;
static atomic_ulong* count = &unmapped;

static void* (*next_malloc)(size_t);
static void* (*next_realloc)(void*, size_t);
static void* (*next_calloc)(size_t, size_t);
static int (*next_align)(void**, size_t, size_t);

static void __attribute__((constructor)) begin(void) {
    const char* path = getenv("FANOUT_ALLOCATIONS");
    int file = path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof *count)) return;
    void* map = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) count = map;
}

void* malloc(size_t size) {
    if (!next_malloc) next_malloc = dlsym(RTLD_NEXT, "malloc");
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return next_malloc(size);
}

void* realloc(void* old, size_t size) {
    if (!next_realloc) next_realloc = dlsym(RTLD_NEXT, "realloc");
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
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
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return next_calloc(items, size);
}

int posix_memalign(void** place, size_t alignment, size_t size) {
    if (!next_align) next_align = dlsym(RTLD_NEXT, "posix_memalign");
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return next_align(place, alignment, size);
}
