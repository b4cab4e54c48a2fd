import MarketModel
import StreamCore

/// The page's connection to the stream: the machine, and the memory through which the page talks to it.
final class PageSession {
    var machine: StreamSession
    /// The text of a message, where the page writes it.
    var inbox = PageBuffer<UInt8>(capacity: 16_384)
    /// The numbers of the last record; what they mean says `SessionRecord`.
    let numbers = UnsafeMutablePointer<Double>.allocate(capacity: SessionRecord.numberCount)
    /// What `cw_session_diagnostics` answers.
    let diagnostics = UnsafeMutablePointer<Double>.allocate(capacity: PageSession.diagnosticsCount)
    /// The text of the last record: a frame to send, or one or two texts in a row.
    var text = PageBuffer<UInt8>(capacity: 1024)
    /// The candles of the last snapshot, six numbers each: timestamp, open, high, low, close, volume.
    var rows = PageBuffer<Double>(capacity: 6)

    init(seed: UInt64) {
        machine = StreamSession(.page, seed: seed)
    }

    deinit {
        numbers.deallocate()
        diagnostics.deallocate()
    }
}

/// The sessions by handle, which is the position plus one. A WebAssembly instance has a single thread.
nonisolated(unsafe) private var sessions: [PageSession?] = []

/// The session of a handle, `nil` for one that was never given out or was freed.
func session(_ handle: Int32) -> PageSession? {
    handle >= 1 && Int(handle) <= sessions.count ? sessions[Int(handle) - 1] : nil
}

/// A session that has not connected yet. The seed, two random words, is what keeps a thousand pages from returning to a
/// restarted server in the same moment.
@_expose(wasm, "cw_session_new")
@_cdecl("cw_session_new")
public func cw_session_new(_ seedHigh: UInt32, _ seedLow: UInt32) -> Int32 {
    _ = runtimeStarted
    let made = PageSession(seed: UInt64(seedHigh) << 32 | UInt64(seedLow))
    if let free = sessions.firstIndex(where: { $0 == nil }) {
        sessions[free] = made
        return Int32(free + 1)
    }
    sessions.append(made)
    return Int32(sessions.count)
}

@_expose(wasm, "cw_session_free")
@_cdecl("cw_session_free")
public func cw_session_free(_ handle: Int32) {
    if session(handle) != nil { sessions[Int(handle) - 1] = nil }
}
