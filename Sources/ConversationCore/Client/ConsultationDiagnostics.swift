/// What a client has seen and done, counted and not guessed.
public struct ConsultationDiagnostics: Sendable, Equatable {
    public var isConnected = false
    /// Attempts since the last stable connection.
    public var reconnectAttempts = 0
    public var lastError: String?
    /// Messages in memory.
    public var messageCount = 0
    /// When the present connection opened, by the client's clock; `nil` where it is not open.
    public var openSince: Double?
    /// Connections that became open.
    public var connects = 0
    /// Smoothed, in seconds.
    public var roundTrip: Double?
    public var framesIn = 0
    public var framesOut = 0
    public var bytesIn = 0
    public var bytesOut = 0
    /// Frames that could not be read, with the reason of the last one.
    public var malformed = 0
    public var lastMalformed: String?
    /// Frames of types that this version does not know.
    public var unknown = 0
    /// Binary frames, which the protocol does not have.
    public var binary = 0
    /// Events and text that came again and were dropped.
    public var duplicates = 0
    /// Holes that were found, each of which was requested.
    public var gaps = 0
    /// Connections that went on where the last one ended, and those that began with the whole state.
    public var resumed = 0
    public var synced = 0

    public init() {}

    /// Seconds that the present connection has been open; 0 where it is not.
    public func uptime(now: Double) -> Double { openSince.map { max(0, now - $0) } ?? 0 }
}
