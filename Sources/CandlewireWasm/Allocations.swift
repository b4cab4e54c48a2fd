// Counts what the module takes from its heap, so that a test can hold "no allocation per frame" against the very module
// that the page loads. The linker gives both functions of the C library a second name (`--wrap`).

nonisolated(unsafe) private var count = 0

@_extern(c, "__real_malloc")
private func takeMemory(_ bytes: Int) -> UnsafeMutableRawPointer?

@_extern(c, "__real_posix_memalign")
private func takeAligned(_ pointer: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ bytes: Int)
    -> Int32

@_cdecl("__wrap_malloc")
public func countedMalloc(_ bytes: Int) -> UnsafeMutableRawPointer? {
    count &+= 1
    return takeMemory(bytes)
}

@_cdecl("__wrap_posix_memalign")
public func countedMemalign(
    _ pointer: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ bytes: Int
) -> Int32 {
    count &+= 1
    return takeAligned(pointer, alignment, bytes)
}

/// How many pieces of memory the module has taken since it began; it wraps around at 2^32.
@_expose(wasm, "cw_allocation_count")
@_cdecl("cw_allocation_count")
public func cw_allocation_count() -> Int32 { Int32(truncatingIfNeeded: count) }
