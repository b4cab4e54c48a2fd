import MarketModel
import StreamCore

// What the page wants. `now` is seconds of any clock that only goes forward, everywhere the same one.

@_expose(wasm, "cw_session_connect")
@_cdecl("cw_session_connect")
public func cw_session_connect(_ handle: Int32, _ now: Double) {
    session(handle)?.machine.connect(now: now)
}

@_expose(wasm, "cw_session_disconnect")
@_cdecl("cw_session_disconnect")
public func cw_session_disconnect(_ handle: Int32, _ now: Double) {
    session(handle)?.machine.disconnect(now: now)
}

/// Tries at once, after whatever ended the connection; while there is one, or one is on its way, nothing.
@_expose(wasm, "cw_session_retry")
@_cdecl("cw_session_retry")
public func cw_session_retry(_ handle: Int32, _ now: Double) {
    guard let session = session(handle) else { return }
    switch session.machine.state {
    case .waiting: session.machine.retryNow(now: now)
    case .idle, .failed, .closed: session.machine.connect(now: now)
    case .connecting, .authenticating, .open: break
    }
}

@_expose(wasm, "cw_session_network")
@_cdecl("cw_session_network")
public func cw_session_network(_ handle: Int32, _ isAvailable: Int32, _ now: Double) {
    session(handle)?.machine.networkChanged(isAvailable: isAvailable != 0, now: now)
}

/// Whether nobody looks: the streams slow down until somebody does.
@_expose(wasm, "cw_session_hidden")
@_cdecl("cw_session_hidden")
public func cw_session_hidden(_ handle: Int32, _ isHidden: Int32, _ now: Double) {
    session(handle)?.machine.setHidden(isHidden != 0, now: now)
}

/// Wants a stream, named by symbol and timeframe (`Timeframe.index`); for one that is wanted already the other options
/// are replaced. Answers the subscription's number, or -1 for a timeframe that there is not.
///
/// - Parameters:
///   - history: candles in the snapshot.
///   - maxRate: ticks and forming candles per second at most; 0: the machine's default.
@_expose(wasm, "cw_session_subscribe")
@_cdecl("cw_session_subscribe")
public func cw_session_subscribe(
    _ handle: Int32, _ symbol: UnsafePointer<UInt8>?, _ length: Int32, _ timeframe: Int32, _ history: Int32,
    _ maxRate: Double, _ now: Double
) -> Int32 {
    let all = Timeframe.allCases
    guard let session = session(handle), timeframe >= 0, Int(timeframe) < all.count else { return -1 }
    let bytes = UnsafeBufferPointer(start: symbol, count: symbol == nil ? 0 : max(0, Int(length)))
    let request = SubscribeRequest(
        symbol: String(decoding: bytes, as: UTF8.self), timeframe: all[Int(timeframe)],
        history: max(0, min(Int(history), SubscribeRequest.maximumHistory)),
        maxRate: SubscribeRequest.rateRange.contains(maxRate) ? maxRate : nil)
    return Int32(truncatingIfNeeded: session.machine.subscribe(request, now: now).rawValue)
}

@_expose(wasm, "cw_session_unsubscribe")
@_cdecl("cw_session_unsubscribe")
public func cw_session_unsubscribe(_ handle: Int32, _ subscription: Int32, _ now: Double) {
    session(handle)?.machine.unsubscribe(SubscriptionNumber(rawValue: Int(subscription)), now: now)
}
