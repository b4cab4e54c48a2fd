import MarketModel
import StreamCore

// What the page requests of its session, and what its sockets and its timer report. `now` is seconds of any clock that only
// goes forward, everywhere the same one. Sockets are named by the numbers that the machine gave them.

/// The sessions by handle. A WebAssembly instance has a single thread.
nonisolated(unsafe) private var sessions = HandleTable<PageSession>()

func session(_ handle: Int32) -> PageSession? { sessions[handle] }

/// A session that has not connected yet. The seed, two random words, is what keeps a thousand pages from returning to a
/// restarted server in the same moment.
@_cdecl("cw_session_new")
public func cw_session_new(_ seedHigh: UInt32, _ seedLow: UInt32) -> Int32 {
    _ = runtimeStarted
    return sessions.insert(PageSession(seed: UInt64(seedHigh) << 32 | UInt64(seedLow)))
}

@_cdecl("cw_session_free")
public func cw_session_free(_ handle: Int32) {
    sessions.remove(handle)
}

/// Where the session's `SessionMailbox` is. It stays there.
@_cdecl("cw_session_mailbox")
public func cw_session_mailbox(_ handle: Int32) -> UnsafeMutableRawPointer? {
    (session(handle)?.mailbox).map { UnsafeMutableRawPointer($0) }
}

// MARK: What the page requests

@_cdecl("cw_session_connect")
public func cw_session_connect(_ handle: Int32, _ now: Double) {
    session(handle)?.input { $0.connect(now: now) }
}

@_cdecl("cw_session_disconnect")
public func cw_session_disconnect(_ handle: Int32, _ now: Double) {
    session(handle)?.input { $0.disconnect(now: now) }
}

/// Tries at once, after whatever ended the connection; while there is one, or one is on its way, nothing.
@_cdecl("cw_session_retry")
public func cw_session_retry(_ handle: Int32, _ now: Double) {
    session(handle)?.input { machine in
        switch machine.state {
        case .waiting: machine.retryNow(now: now)
        case .idle, .failed, .closed: machine.connect(now: now)
        case .connecting, .authenticating, .open: break
        }
    }
}

@_cdecl("cw_session_network")
public func cw_session_network(_ handle: Int32, _ isAvailable: Int32, _ now: Double) {
    session(handle)?.input { $0.networkChanged(isAvailable: isAvailable != 0, now: now) }
}

/// Whether the page is hidden: the streams slow down until it is visible again.
@_cdecl("cw_session_hidden")
public func cw_session_hidden(_ handle: Int32, _ isHidden: Int32, _ now: Double) {
    session(handle)?.input { $0.setHidden(isHidden != 0, now: now) }
}

/// Requests a stream, named by symbol and timeframe (`Timeframe.index`); for one that is requested already the other options
/// are replaced. Answers the subscription's number, or -1 for a timeframe that there is not.
///
/// - Parameters:
///   - history: candles in the snapshot.
///   - maxRate: ticks and forming candles per second at most; 0: the machine's default.
@_cdecl("cw_session_subscribe")
public func cw_session_subscribe(
    _ handle: Int32, _ symbol: UnsafePointer<UInt8>?, _ length: Int32, _ timeframe: Int32, _ history: Int32,
    _ maxRate: Double, _ now: Double
) -> Int32 {
    let all = Timeframe.allCases
    guard let session = session(handle), timeframe >= 0, Int(timeframe) < all.count else { return -1 }
    let request = SubscribeRequest(
        symbol: string(symbol, length), timeframe: all[Int(timeframe)],
        history: max(0, min(Int(history), SubscribeRequest.maximumHistory)),
        maxRate: SubscribeRequest.rateRange.contains(maxRate) ? maxRate : nil)
    return Int32(truncatingIfNeeded: session.input { $0.subscribe(request, now: now).rawValue })
}

@_cdecl("cw_session_unsubscribe")
public func cw_session_unsubscribe(_ handle: Int32, _ subscription: Int32, _ now: Double) {
    session(handle)?.input { $0.unsubscribe(SubscriptionNumber(rawValue: Int(subscription)), now: now) }
}

/// Feeds a chart with a subscription's snapshots, ticks and candles, beginning with the next snapshot; a negative
/// subscription feeds none.
@_cdecl("cw_session_feed")
public func cw_session_feed(_ handle: Int32, _ subscription: Int32, _ chart: Int32) {
    session(handle)?.setFeed(
        subscription < 0
            ? nil : ChartFeed(subscription: SubscriptionNumber(rawValue: Int(subscription)), chart: chart))
}

private func string(_ utf8: UnsafePointer<UInt8>?, _ length: Int32) -> String {
    String(utf8: UnsafeRawBufferPointer(text(utf8, length)))
}

// MARK: Channels

/// Requests a channel, `StreamChannel` by number; for one that is live already, a new snapshot. Answers 0 for a channel that
/// there is not.
/// - Parameter length: of the account in bytes; 0: none is named.
@_cdecl("cw_session_channel_subscribe")
public func cw_session_channel_subscribe(
    _ handle: Int32, _ channel: Int32, _ account: UnsafePointer<UInt8>?, _ length: Int32, _ now: Double
) -> Int32 {
    guard let session = session(handle), let key = channelKey(channel, account, length) else { return 0 }
    session.input { $0.subscribe(key, now: now) }
    return 1
}

@_cdecl("cw_session_channel_unsubscribe")
public func cw_session_channel_unsubscribe(
    _ handle: Int32, _ channel: Int32, _ account: UnsafePointer<UInt8>?, _ length: Int32, _ now: Double
) {
    guard let session = session(handle), let key = channelKey(channel, account, length) else { return }
    session.input { $0.unsubscribe(key, now: now) }
}

private func channelKey(_ channel: Int32, _ account: UnsafePointer<UInt8>?, _ length: Int32) -> ChannelKey? {
    guard let channel: StreamChannel = choice(channel) else { return nil }
    guard length > 0 else { return ChannelKey(channel) }
    return ChannelKey(channel, account: string(account, length))
}

// MARK: What sockets and the timer report

@_cdecl("cw_session_opened")
public func cw_session_opened(_ handle: Int32, _ socket: Int32, _ now: Double) {
    session(handle)?.input { $0.opened(SocketNumber(rawValue: Int(socket)), now: now) }
}

/// Makes room for `capacity` bytes of a message in the inbox; the mailbox says where.
@_cdecl("cw_session_inbox")
public func cw_session_inbox(_ handle: Int32, _ capacity: Int32) {
    session(handle)?.reserveInbox(max(0, Int(capacity)))
}

/// A text message: the first `length` bytes of the inbox.
@_cdecl("cw_session_received")
public func cw_session_received(_ handle: Int32, _ socket: Int32, _ length: Int32, _ now: Double) {
    guard let session = session(handle) else { return }
    let message = UnsafeRawBufferPointer(session.received(length))
    session.input { $0.received(message, on: SocketNumber(rawValue: Int(socket)), now: now) }
}

/// The token that the server gets first on each connection, from now on and on an open one too: the first `length` bytes
/// of the inbox. None of them: there is none, also where the machine wanted another.
@_cdecl("cw_session_token")
public func cw_session_token(_ handle: Int32, _ length: Int32, _ now: Double) {
    guard let session = session(handle) else { return }
    let bytes = session.received(length)
    let token = String(utf8: UnsafeRawBufferPointer(bytes))
    // The inbox is for whatever comes next; a secret does not stay in it.
    bytes.update(repeating: 0)
    session.input { $0.setToken(token, now: now) }
}

/// The socket is closed, or never opened. The reason is the first `length` bytes of the inbox.
@_cdecl("cw_session_closed")
public func cw_session_closed(_ handle: Int32, _ socket: Int32, _ code: Int32, _ length: Int32, _ now: Double) {
    guard let session = session(handle) else { return }
    let reason = String(utf8: UnsafeRawBufferPointer(session.received(length)))
    session.input {
        $0.closed(
            SocketNumber(rawValue: Int(socket)), code: WebSocketCloseCode(rawValue: UInt16(clamping: code)),
            reason: reason, now: now)
    }
}

/// The deadline of the mailbox has come.
@_cdecl("cw_session_timer")
public func cw_session_timer(_ handle: Int32, _ now: Double) {
    session(handle)?.input { $0.timerFired(now: now) }
}

// MARK: Diagnostics

/// What the session has seen and done, over the page's life. Times are in the page's clock.
struct DiagnosticsRecord: PageRecord {
    /// Attempts to connect, since the last stable connection.
    var attempts: Double
    /// Whether the quick attempts are used up.
    var isSlowRetry: PageFlag
    var messagesIn: Double
    var messagesOut: Double
    var bytesIn: Double
    var bytesOut: Double
    /// Smoothed, seconds.
    var roundTrip: PageOptional
    /// When the present connection opened.
    var openSince: PageOptional
    /// Connections that became open.
    var connects: Double
    var rotations: Double
    /// Streams that went on with all that they had missed.
    var recovered: Double
    /// Streams that had to go on with a snapshot.
    var reloaded: Double
    /// Losses found inside a connection.
    var gaps: Double
    var duplicates: Double
    /// Updates that the server merged for the page and reported so.
    var skipped: Double
    /// Messages that could not be read.
    var malformed: Double
    /// Streams that are wanted.
    var streams: Double
    /// Streams that are delivered now.
    var live: Double
    /// The last problem; its words are the session's text.
    var lastProblem: PageCase<PageProblem>
    /// Close code or HTTP status of the last problem.
    var problemCode: Double
}

/// A `DiagnosticsRecord`; valid until the next call with this handle.
@_cdecl("cw_session_diagnostics")
public func cw_session_diagnostics(_ handle: Int32) -> UnsafeMutablePointer<Double>? {
    guard let session = session(handle) else { return nil }
    let seen = session.seen
    var problem = PageProblem.none
    var code = 0.0
    var words = ""
    switch seen.lastProblem {
    case nil: break
    case .closed(let closeCode, let reason): (problem, code, words) = (.closed, Double(closeCode.rawValue), reason)
    case .refused(let status): (problem, code) = (.refused, Double(status))
    case .timedOut: problem = .timedOut
    case .heartbeatMissed: problem = .heartbeatMissed
    case .server(_, let message): (problem, words) = (.server, message)
    case .malformed(let detail): (problem, words) = (.malformed, detail)
    }
    session.text.fill([UInt8](words.utf8))
    DiagnosticsRecord(
        attempts: Double(seen.attempts), isSlowRetry: PageFlag(seen.isSlowRetry), messagesIn: Double(seen.messagesIn),
        messagesOut: Double(seen.messagesOut), bytesIn: Double(seen.bytesIn), bytesOut: Double(seen.bytesOut),
        roundTrip: PageOptional(seen.roundTrip), openSince: PageOptional(seen.openSince),
        connects: Double(seen.connects), rotations: Double(seen.rotations), recovered: Double(seen.recovered),
        reloaded: Double(seen.reloaded), gaps: Double(seen.gaps), duplicates: Double(seen.duplicates),
        skipped: Double(seen.skipped), malformed: Double(seen.malformed), streams: Double(seen.subscriptions),
        live: Double(seen.live), lastProblem: PageCase(problem), problemCode: code
    ).write(to: session.diagnostics)
    return session.diagnostics
}

/// The words of the last diagnostics.
@_cdecl("cw_session_text")
public func cw_session_text(_ handle: Int32) -> UnsafeMutablePointer<UInt8>? {
    session(handle)?.text.base
}

@_cdecl("cw_session_text_length")
public func cw_session_text_length(_ handle: Int32) -> Int32 {
    Int32(truncatingIfNeeded: session(handle)?.text.count ?? 0)
}
