import StreamCore

// What the machine answers. After every call of an intent or a report the page takes records until there is none, and
// then sets its timer.

/// The kind of the next record, 0 when there is none. Its numbers, text and candles stay until the next call.
@_expose(wasm, "cw_session_next")
@_cdecl("cw_session_next")
public func cw_session_next(_ handle: Int32) -> Int32 {
    session(handle)?.nextRecord() ?? 0
}

/// The record's numbers; the address never changes.
@_expose(wasm, "cw_session_numbers")
@_cdecl("cw_session_numbers")
public func cw_session_numbers(_ handle: Int32) -> UnsafeMutablePointer<Double>? {
    session(handle)?.numbers
}

@_expose(wasm, "cw_session_text")
@_cdecl("cw_session_text")
public func cw_session_text(_ handle: Int32) -> UnsafeMutablePointer<UInt8>? {
    session(handle)?.text.base
}

@_expose(wasm, "cw_session_text_length")
@_cdecl("cw_session_text_length")
public func cw_session_text_length(_ handle: Int32) -> Int32 {
    Int32(truncatingIfNeeded: session(handle)?.text.count ?? 0)
}

@_expose(wasm, "cw_session_rows")
@_cdecl("cw_session_rows")
public func cw_session_rows(_ handle: Int32) -> UnsafeMutablePointer<Double>? {
    session(handle)?.rows.base
}

/// When the one timer is due, in the page's clock; infinity when there is nothing to wait for.
@_expose(wasm, "cw_session_deadline")
@_cdecl("cw_session_deadline")
public func cw_session_deadline(_ handle: Int32) -> Double {
    session(handle)?.machine.deadline ?? .infinity
}
