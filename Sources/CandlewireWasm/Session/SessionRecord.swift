import MarketModel
import StreamCore

/// What the session requests, or reports, as the page reads it from the outbox: each kind has a record of the same name
/// in `SessionRecords`.
enum SessionRecord: UInt8 {
    case none
    case open, send, close, drop, token
    case state, subscribed, snapshot, tick, candle, skipped, gap, stale, fresh, refused
    case latency, problem, unknown, closing
    case channelSubscribed, channelMessage, channelRefused
}

/// The fields of each kind of record. Subscriptions and sockets are named by their numbers.
enum SessionRecords {
    struct Open: PageRecord { var socket: Double }
    struct Send: PageRecord {
        var socket: Double
        var frame: PageText
    }
    struct Close: PageRecord {
        var socket: Double
        var code: Double
        var reason: PageText
    }
    struct Drop: PageRecord { var socket: Double }
    struct Token: PageRecord { var wasRejected: PageFlag }
    struct State: PageRecord {
        var state: PageCase<PageState>
        /// When the next attempt is due; 0 unless waiting.
        var until: Double
        var failure: PageCase<PageFailure>
        /// Close code or HTTP status of the failure.
        var code: Double
        var reason: PageText
    }
    struct Subscribed: PageRecord {
        var subscription: Double
        var recovered: PageFlag
    }
    /// The candles themselves are in the chart that the subscription feeds.
    struct Snapshot: PageRecord {
        var subscription: Double
        var reason: PageCase<PageSnapshotReason>
        var count: Double
        /// The newest candle's; null without candles.
        var close: PageOptional
    }
    struct Tick: PageRecord {
        var subscription: Double
        var timestamp: Double
        var price: Double
        var volume: Double
    }
    struct Candle: PageRecord {
        var subscription: Double
        /// Start of the bucket, seconds since 1970 UTC.
        var timestamp: Double
        var open: Double
        var high: Double
        var low: Double
        var close: Double
        var volume: Double
        var final: PageFlag
        var revision: Double
        var quality: PageCase<CandleQuality>
    }
    struct Skipped: PageRecord {
        var subscription: Double
        var count: Double
    }
    struct Gap: PageRecord { var subscription: Double }
    struct Stale: PageRecord {
        var subscription: Double
        /// Seconds since the last trade.
        var age: Double
    }
    struct Fresh: PageRecord { var subscription: Double }
    struct Refused: PageRecord {
        var subscription: Double
        var code: PageText
        var message: PageText
    }
    struct Latency: PageRecord { var seconds: Double }
    struct Problem: PageRecord {
        var code: PageText
        var message: PageText
    }
    struct Unknown: PageRecord { var type: PageText }
    struct Closing: PageRecord { var seconds: Double }
    struct ChannelSubscribed: PageRecord {
        var channel: PageCase<StreamChannel>
        var account: PageOptionalText
    }
    struct ChannelMessage: PageRecord {
        var channel: PageCase<StreamChannel>
        var account: PageOptionalText
        var text: PageText
    }
    struct ChannelRefused: PageRecord {
        var channel: PageCase<StreamChannel>
        var account: PageOptionalText
        var code: PageText
        var message: PageText
    }
}

enum PageState: UInt8 {
    case idle, connecting, authenticating, open, waiting, failed, closed

    init(_ state: SessionState) {
        switch state {
        case .idle: self = .idle
        case .connecting: self = .connecting
        case .authenticating: self = .authenticating
        case .open: self = .open
        case .waiting: self = .waiting
        case .failed: self = .failed
        case .closed: self = .closed
        }
    }
}

enum PageFailure: UInt8 { case none, closeCode, refused, unauthorized, attemptsExhausted }

enum PageSnapshotReason: UInt8 {
    case first, reloaded, gap, resumed, server, behind

    init(_ reason: SnapshotReason) {
        switch reason {
        case .first: self = .first
        case .reloaded: self = .reloaded
        case .gap: self = .gap
        case .resumed: self = .resumed
        case .server: self = .server
        case .behind: self = .behind
        }
    }
}

enum PageProblem: UInt8 { case none, closed, refused, timedOut, heartbeatMissed, server, malformed }
