/// How badly a `ChaosProxy` treats the connections through it. The default forwards everything as it comes.
///
/// Settings may change while connections are open: each chunk of bytes (what one read of a socket gave) is treated by
/// those that hold when it arrives.
public struct ChaosSettings: Sendable, Equatable {
    /// Which bytes `drop`, `delay`, `throttle`, `cutAfter`, `halfOpenAfter` and `corrupt` are about.
    public enum Direction: String, Sendable, CaseIterable {
        case both
        /// From the client to the target.
        case up
        /// From the target to the client.
        case down
    }

    /// The chance, for each chunk, that the connection is cut inside it: some of its bytes still get through, then both
    /// sides get a TCP reset. 0 to 1.
    public var drop = 0.0
    /// Seconds that every byte is late.
    public var delay = 0.0
    /// Up to this many seconds more, drawn for each chunk. The order of bytes stays, as TCP keeps it.
    public var jitter = 0.0
    /// Cuts the connection once this many bytes of one direction got through.
    public var cutAfter: Int?
    /// Lets this many bytes of one direction through and then nothing more, in either direction where `direction` is
    /// `both`, without closing anything: the peer that vanished. Closing one side is not reported to the other either.
    public var halfOpenAfter: Int?
    /// The most bytes a second, for each direction.
    public var throttle: Int?
    /// The chance, for each byte, that it becomes another one. 0 to 1.
    public var corrupt = 0.0
    /// The chance, for each connection, that it is reset as soon as it is accepted. 0 to 1.
    public var refuse = 0.0
    public var direction = Direction.both

    public init(
        drop: Double = 0, delay: Double = 0, jitter: Double = 0, cutAfter: Int? = nil, halfOpenAfter: Int? = nil,
        throttle: Int? = nil, corrupt: Double = 0, refuse: Double = 0, direction: Direction = .both
    ) {
        self.drop = drop
        self.delay = delay
        self.jitter = jitter
        self.cutAfter = cutAfter
        self.halfOpenAfter = halfOpenAfter
        self.throttle = throttle
        self.corrupt = corrupt
        self.refuse = refuse
        self.direction = direction
    }

    /// Everything through, at once.
    public static var calm: ChaosSettings { ChaosSettings() }
}
