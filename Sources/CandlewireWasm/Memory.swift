/// Memory for the page to write data into, aligned for `f64`; 0 for no bytes. It comes from the C library's `malloc`,
/// which serves the Swift runtime too.
@_expose(wasm, "cw_alloc")
@_cdecl("cw_alloc")
public func cw_alloc(_ bytes: Int32) -> UnsafeMutableRawPointer? {
    bytes > 0 ? .allocate(byteCount: Int(bytes), alignment: 8) : nil
}

/// Gives memory of `cw_alloc` back.
@_expose(wasm, "cw_free")
@_cdecl("cw_free")
public func cw_free(_ pointer: UnsafeMutableRawPointer?) {
    pointer?.deallocate()
}

/// The version of these exports; the page refuses another one than it was written for.
@_expose(wasm, "cw_version")
@_cdecl("cw_version")
public func cw_version() -> Int32 { 2 }
