/// A place in a stream: which run of the stream, and how many messages into it.
///
/// One value, never two: an offset without its epoch would make a client that reconnects after a server restart
/// believe that offset 812 of the new run follows its own 812 of the old one.
public struct StreamPosition: Sendable, Equatable, Hashable {
    /// Names a run of the stream; a new one begins whenever continuity is lost.
    public var epoch: String
    /// The last message's number; the first message of an epoch has 1. 64 bits also where a machine word has 32
    /// (WebAssembly): beyond 2^31 a stream must not fall silent there.
    public var offset: Int64

    public init(epoch: String, offset: Int64) {
        self.epoch = epoch
        self.offset = offset
    }
}
