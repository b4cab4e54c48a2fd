import StreamCore

// What the page's sockets and its timer report. Sockets are named by the numbers that the machine gave them.

@_expose(wasm, "cw_session_opened")
@_cdecl("cw_session_opened")
public func cw_session_opened(_ handle: Int32, _ socket: Int32, _ now: Double) {
    session(handle)?.machine.opened(SocketNumber(rawValue: Int(socket)), now: now)
}

/// Where the page writes up to `capacity` bytes of a message. Valid until the next call of this function.
@_expose(wasm, "cw_session_inbox")
@_cdecl("cw_session_inbox")
public func cw_session_inbox(_ handle: Int32, _ capacity: Int32) -> UnsafeMutablePointer<UInt8>? {
    session(handle)?.inbox.reserve(max(0, Int(capacity)))
}

/// A text message: the first `length` bytes of the inbox.
@_expose(wasm, "cw_session_received")
@_cdecl("cw_session_received")
public func cw_session_received(_ handle: Int32, _ socket: Int32, _ length: Int32, _ now: Double) {
    guard let session = session(handle) else { return }
    let count = max(0, min(Int(length), session.inbox.capacity))
    let message = UnsafeRawBufferPointer(start: session.inbox.base, count: count)
    session.machine.received(message, on: SocketNumber(rawValue: Int(socket)), now: now)
}

/// The token that the server is told first on each connection, from now on and on an open one too: the first `length`
/// bytes of the inbox. None of them: there is none, also where the machine asked for another.
@_expose(wasm, "cw_session_token")
@_cdecl("cw_session_token")
public func cw_session_token(_ handle: Int32, _ length: Int32, _ now: Double) {
    guard let session = session(handle) else { return }
    let count = max(0, min(Int(length), session.inbox.capacity))
    let token = String(decoding: UnsafeBufferPointer(start: session.inbox.base, count: count), as: UTF8.self)
    // The inbox is for whatever comes next; a secret does not stay in it.
    session.inbox.base.update(repeating: 0, count: count)
    session.machine.setToken(token, now: now)
}

/// The socket is closed, or never opened. The reason is the first `length` bytes of the inbox.
@_expose(wasm, "cw_session_closed")
@_cdecl("cw_session_closed")
public func cw_session_closed(_ handle: Int32, _ socket: Int32, _ code: Int32, _ length: Int32, _ now: Double) {
    guard let session = session(handle) else { return }
    let count = max(0, min(Int(length), session.inbox.capacity))
    let reason = String(decoding: UnsafeBufferPointer(start: session.inbox.base, count: count), as: UTF8.self)
    session.machine.closed(
        SocketNumber(rawValue: Int(socket)), code: WebSocketCloseCode(rawValue: UInt16(clamping: code)),
        reason: reason, now: now)
}

/// The time of `cw_session_deadline` has come.
@_expose(wasm, "cw_session_timer")
@_cdecl("cw_session_timer")
public func cw_session_timer(_ handle: Int32, _ now: Double) {
    session(handle)?.machine.timerFired(now: now)
}
