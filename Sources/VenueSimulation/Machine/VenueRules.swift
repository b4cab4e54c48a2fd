import StreamCore

/// What a recorded message is to the simulation.
enum RecordedPart: Equatable {
    /// An answer, a heartbeat, a status: the simulation says its own.
    case own
    /// Goes to those who requested one of these topics, when its time comes.
    case data([VenueTopic])
    /// What a subscription of this topic begins with (a snapshot, the last trade): sent when it is requested.
    case first(VenueTopic)
}

/// What a venue's rules make of what a client said, in this order.
enum VenueReply: Equatable {
    /// A message at once.
    case send(String)
    /// A message that says how a request went: faults may hold it back.
    case answer(String)
    /// From now on, messages of this topic; with what it begins with, unless the client excluded that.
    case subscribe(VenueTopic, withFirst: Bool = true)
    case unsubscribe(VenueTopic)
    /// The client showed that it lives; see `VenueFacts.clientHeartbeat`.
    case alive
    /// The venue hangs up.
    case close(WebSocketCloseCode, reason: String)
}

/// What is the same on all connections of a venue. Times in seconds.
struct VenueFacts: Sendable {
    /// Paths at which the venue accepts WebSockets: the path itself or, where it ends in `/`, all below it.
    var paths: [String] = ["/"]
    /// How soon after connecting a subscription must come; `nil`: any time.
    var subscriptionDeadline: Double?
    /// How often `heartbeat` is called.
    var heartbeatInterval: Double?
    /// The venue's own ping frames, and how long the answer may take.
    var pings: (interval: Double, deadline: Double)?
    /// How long a client may go without a heartbeat of its own.
    var clientHeartbeat: Double?
    /// The most a client may say a second, pings and pongs counted where `countsControls`.
    var clientMessages: (perSecond: Double, burst: Double, countsControls: Bool)?
    /// After so long a connection is ended.
    var maximumAge: Double?
}

/// Where a connection stands, for what rules say of their own accord.
struct VenueMoment {
    /// The venue's clock, nanoseconds since 1970: the present, or the recording's where its times are left alone.
    var time: Int64 = 0
    /// How far the recording was played on this connection: messages before this one.
    var position = 0
    /// Seconds that the recording's times are moved by.
    var shift: Int64 = 0
    /// How often the recording was played before: its trades count on.
    var round = 0
    /// Seconds that times are moved on by from one round to the next.
    var period: Int64 = 0
}

/// The protocol of one venue, for one connection: pure, without time or randomness of its own.
protocol VenueRules: Sendable {
    static var facts: VenueFacts { get }
    /// Whether what it sends are binary frames.
    static var isBinary: Bool { get }
    /// The status that a handshake is refused with; `nil`: it is accepted.
    /// - Parameter target: path and query.
    static func refusal(of target: String) -> Int?
    /// A recorded message with its times moved; `nil`: as any JSON.
    static func moved(_ message: [UInt8], bySeconds seconds: Int64) -> [UInt8]?
    /// What a recorded message is.
    static func sort(_ message: [UInt8]) -> RecordedPart
    /// What all of them are, where one says what others mean.
    static func parts(_ session: RecordedSession, _ channels: [VenueTopic: Int]) -> [RecordedPart]
    /// Numbers that the venue gave to topics.
    static func channels(_ session: RecordedSession) -> [VenueTopic: Int]
    /// The trades in a message, as they stand.
    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade]
    /// What the values of a trade are called; `nil` where that is not all there is to it.
    static var members: RecordedTrade.Members? { get }
    /// Names of members whose numbers count a market's trades.
    static func tradeNumbers(of session: RecordedSession) -> [String]
    /// Whether a recorded message repeats a trade, which `trades` leaves out.
    static func repeatsTrade(_ message: [UInt8]) -> Bool
    /// A message of one market in a later round: its trades count on.
    static func renumbered(
        _ message: [UInt8], _ numbering: TradeNumbers, symbol: String, kind: String, round: Int
    ) -> [UInt8]
    /// The answer to a request over HTTP; `nil`: there is nothing at this address.
    /// - Parameters:
    ///   - shift: seconds that the recording's times are moved by.
    ///   - now: where times are moved, that of what was played last.
    static func answer(_ request: VenueRequest, _ market: VenueMarket, shift: Int64, now: Double) -> VenueResponse?
    init(_ market: VenueMarket, connection: Int)

    /// - Parameter target: path and query of the handshake.
    mutating func opened(target: String, at moment: VenueMoment) -> [VenueReply]
    /// - Parameter json: `nil` where the text is none.
    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply]
    /// The same for a text frame as it came, for venues with texts that are not JSON.
    mutating func received(text: [UInt8], at moment: VenueMoment) -> [VenueReply]
    /// The same for a binary frame.
    mutating func received(bytes: [UInt8], at moment: VenueMoment) -> [VenueReply]
    /// A client that says too much; see `VenueFacts.clientMessages`.
    mutating func exceededRate() -> [VenueReply]
    /// Called every `heartbeatInterval`.
    /// - Parameter isQuiet: whether nothing else was sent since the last call.
    mutating func heartbeat(isQuiet: Bool, at moment: VenueMoment) -> [VenueReply]
    /// What is said before the connection is ended for its age.
    mutating func farewell(at moment: VenueMoment) -> [VenueReply]
    /// What this connection gets in place of a recorded message of these topics (envelopes, counters).
    mutating func frame(_ message: [UInt8]) -> [UInt8]
    /// What this connection gets instead of the recorded message at an index, moved; `nil`: that message.
    mutating func replaced(_ index: Int, at moment: VenueMoment) -> [[UInt8]]?
    /// What a subscription begins with where the recording is played already, moved; `nil`: what is recorded.
    func first(_ topic: VenueTopic, at moment: VenueMoment) -> [UInt8]?
    /// What everything that this connection gets is made into at the very end.
    mutating func stamp(_ message: [UInt8]) -> [UInt8]
}

extension VenueRules {
    static var members: RecordedTrade.Members? { nil }
    static func tradeNumbers(of session: RecordedSession) -> [String] { members?.number.map { [$0] } ?? [] }
    static var isBinary: Bool { false }
    static func refusal(of target: String) -> Int? { nil }
    static func moved(_ message: [UInt8], bySeconds seconds: Int64) -> [UInt8]? { nil }
    mutating func received(text: [UInt8], at moment: VenueMoment) -> [VenueReply] {
        received(VenueJSON(text), at: moment)
    }
    mutating func received(bytes: [UInt8], at moment: VenueMoment) -> [VenueReply] {
        received(VenueJSON(bytes), at: moment)
    }
    static func repeatsTrade(_ message: [UInt8]) -> Bool { false }
    static func renumbered(
        _ message: [UInt8], _ numbering: TradeNumbers, symbol: String, kind: String, round: Int
    ) -> [UInt8] {
        numbering.moved(message, symbol: symbol, kind: kind, round: round)
    }
    static func answer(_ request: VenueRequest, _ market: VenueMarket, shift: Int64, now: Double) -> VenueResponse? {
        nil
    }
    static func sort(_ message: [UInt8]) -> RecordedPart { .own }
    static func parts(_ session: RecordedSession, _ channels: [VenueTopic: Int]) -> [RecordedPart] {
        session.messages.map(sort)
    }
    static func channels(_ session: RecordedSession) -> [VenueTopic: Int] { [:] }
    mutating func opened(target: String, at moment: VenueMoment) -> [VenueReply] { [] }
    mutating func exceededRate() -> [VenueReply] { [.close(.policyViolation, reason: "too many messages")] }
    mutating func heartbeat(isQuiet: Bool, at moment: VenueMoment) -> [VenueReply] { [] }
    mutating func farewell(at moment: VenueMoment) -> [VenueReply] { [] }
    mutating func frame(_ message: [UInt8]) -> [UInt8] { message }
    mutating func replaced(_ index: Int, at moment: VenueMoment) -> [[UInt8]]? { nil }
    func first(_ topic: VenueTopic, at moment: VenueMoment) -> [UInt8]? { nil }
    mutating func stamp(_ message: [UInt8]) -> [UInt8] { message }
}
