// What a program without a C start-up has to do itself.

/// The seed of Swift's hash tables. The C library would ask the host for random bytes, and drag its error printing in
/// with them; a fixed seed keeps the module free of imports and every run the same. The tables' keys are the module's
/// own, so no input can make them collide.
@_cdecl("arc4random_buf")
public func fillHashSeed(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
    for offset in 0..<count { bytes.storeBytes(of: 0x5C, toByteOffset: offset, as: UInt8.self) }
}

@_extern(c, "__wasm_call_ctors")
private func callConstructors()

/// Runs the C library's constructors once; a library has no start that would.
let runtimeStarted: Void = callConstructors()

@_extern(c, "strtod")
private func readDouble(
    _ text: UnsafePointer<CChar>, _ end: UnsafeMutablePointer<UnsafePointer<CChar>?>
) -> Double

/// What `Double(_: String)` asks of its runtime: the number at the start of `text`, and where it ends. The C library's
/// own reading is as exact; it knows no other locale than C's.
@_cdecl("_swift_stdlib_strtod_clocale")
public func readDouble(
    _ text: UnsafePointer<CChar>, _ result: UnsafeMutablePointer<Double>
) -> UnsafePointer<CChar>? {
    var end: UnsafePointer<CChar>?
    result.pointee = readDouble(text, &end)
    return end
}

// MARK: Allocations

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
@_cdecl("cw_allocation_count")
public func cw_allocation_count() -> Int32 { Int32(truncatingIfNeeded: count) }
