/// How a connection compresses its messages, where the peer agrees: permessage-deflate (RFC 7692).
///
/// ```swift
/// var configuration = WebSocketConfiguration.client
/// configuration.compression = WebSocketCompression()
/// ```
/// Market data of many connections is better sent as it is: the same tick compressed for each of them costs each of
/// them processor time and memory. One connection that carries snapshots, histories or prose gains.
///
/// ## Memory
/// Nothing until the first compressed message of a direction; then, per connection, what zlib needs:
///
/// | direction | bytes | default |
/// |---|---|---|
/// | sending | 2^(`windowBits` + 2) + 2^(`memoryLevel` + 9) + 6 KiB | 38 KiB |
/// | receiving | 2^(the peer's window bits, at most `peerWindowBits`) + 7 KiB | 39 KiB |
///
/// and a buffer of at most 16 KiB that stays between inflated messages.
public struct WebSocketCompression: Sendable, Equatable {
    /// zlib's effort, from 1 (fast) to 9 (small).
    public var level: Int
    /// zlib's hash and output buffers, from 1 to 9: each step doubles them.
    public var memoryLevel: Int
    /// The window of what is sent, from 9 (512 bytes) to 15 (32 KiB). The peer may request a smaller one.
    public var windowBits: Int
    /// The largest window of what is received, from 8 to 15. Below 15 the peer is requested to keep to it: a client
    /// offers `server_max_window_bits`, a server answers `client_max_window_bits` to clients that can do it.
    public var peerWindowBits: Int
    /// Starts each message afresh instead of referring to earlier ones: smaller memory for the peer, larger messages.
    public var noContextTakeover: Bool
    /// Requests the same of the peer.
    public var peerNoContextTakeover: Bool
    /// Messages of fewer bytes are sent as they are: there is nothing to gain.
    public var threshold: Int

    /// Values beyond what zlib can do are clamped.
    public init(
        level: Int = 6, memoryLevel: Int = 5, windowBits: Int = 12, peerWindowBits: Int = 15,
        noContextTakeover: Bool = false, peerNoContextTakeover: Bool = false, threshold: Int = 64
    ) {
        self.level = min(max(level, 1), 9)
        self.memoryLevel = min(max(memoryLevel, 1), 9)
        self.windowBits = min(max(windowBits, 9), 15)
        self.peerWindowBits = min(max(peerWindowBits, 8), 15)
        self.noContextTakeover = noContextTakeover
        self.peerNoContextTakeover = peerNoContextTakeover
        self.threshold = max(0, threshold)
    }
}
