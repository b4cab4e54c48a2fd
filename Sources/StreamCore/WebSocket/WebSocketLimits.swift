/// What an endpoint accepts before it closes the connection.
///
/// Without them a peer decides how much memory we use: a frame header may promise 2^63 bytes.
public struct WebSocketLimits: Sendable, Equatable {
    /// The most payload bytes in one data frame. Beyond: close code 1009, decided on the header, before any payload.
    public var frameBytes: Int
    /// The most payload bytes in one message, over all its fragments, as they come over the wire. Beyond: close code
    /// 1009.
    public var messageBytes: Int
    /// The most frames one message may be cut into (at least 1). Beyond: close code 1008. It bounds the work that
    /// empty fragments cause, which no byte limit sees.
    public var fragmentsPerMessage: Int

    /// The most bytes a compressed message may become (at least `messageBytes` is usual). Beyond: close code 1009,
    /// before the memory for more is allocated, so that a few KiB cannot be made into gigabytes.
    public var inflatedBytes: Int

    /// - Parameter inflatedBytes: nil means `messageBytes`.
    public init(frameBytes: Int, messageBytes: Int, fragmentsPerMessage: Int, inflatedBytes: Int? = nil) {
        self.frameBytes = max(0, frameBytes)
        self.messageBytes = max(0, messageBytes)
        self.fragmentsPerMessage = max(1, fragmentsPerMessage)
        self.inflatedBytes = max(0, inflatedBytes ?? messageBytes)
    }

    /// For a server whose clients send small commands: 64 KiB a frame and a message, 1,024 fragments.
    public static let server = WebSocketLimits(frameBytes: 64 << 10, messageBytes: 64 << 10, fragmentsPerMessage: 1024)

    /// For a client of servers that send snapshots: 16 MiB a frame and a message, 131,072 fragments (a conformance
    /// suite sends 4 MiB in frames of 64 bytes).
    public static let client = WebSocketLimits(
        frameBytes: 16 << 20, messageBytes: 16 << 20, fragmentsPerMessage: 131_072)
}
