import NIOCore
import NIOSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// The socket under a channel, written to without the channel.
///
/// A write and a flush through the channel cost about as much again as the kernel needs for a small `send`, and a
/// server with a thousand readers does nothing else. So where a connection is plain TCP and the channel has nothing of
/// its own to send, bytes go to the socket directly. What the socket does not accept goes the ordinary way: waiting,
/// errors and the end of the connection stay the channel's business.
///
/// Linux only; elsewhere everything goes through the channel.
struct DirectSocket {
    private let descriptor: Int32

    /// Nil where the channel's bytes are not the socket's (TLS), where it is no socket, and while the channel still has
    /// something to send.
    init?(_ channel: any Channel) {
        #if os(Linux) || os(Android)
            let pipeline = channel.pipeline.syncOperations
            guard channel.isActive, (try? pipeline.handler(type: NIOSSLHandler.self)) == nil,
                let buffered = try? channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes), buffered == 0,
                let descriptor = try? pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self, { $0 })
            else { return nil }
            self.descriptor = descriptor
        #else
            return nil
        #endif
    }

    /// Writes as much as the socket accepts at once.
    /// - Returns: the number of bytes; 0 also where the socket is full or broken.
    @inline(__always)
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if os(Linux) || os(Android)
            while true {
                let sent = send(descriptor, bytes.baseAddress, bytes.count, Self.flags)
                if sent >= 0 { return sent }
                if errno != EINTR { return 0 }
            }
        #else
            return 0
        #endif
    }

    /// The most pieces in one system call: their places lie on the stack.
    private static let piecesPerWrite = 64

    /// The same for what waits, in one system call, as far as frames are whole: between a frame's head and its payload
    /// nothing may be sent, not even a ping.
    /// - Returns: the bytes that the socket accepted, whether those are all of them, and how many pieces they were.
    func write(_ queue: OutboundQueue) -> (sent: Int, isComplete: Bool, pieces: Int) {
        #if os(Linux) || os(Android)
            var (gathered, pieces) = (0, 0)
            var (wholeGathered, wholePieces) = (0, 0)
            let sent = withUnsafeTemporaryAllocation(of: iovec.self, capacity: Self.piecesPerWrite) { ranges in
                queue.forEach { piece in
                    // The queue holds the buffers until they are sent, so the bytes stay where they are.
                    piece.bytes.withUnsafeReadableBytes { bytes in
                        let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                        ranges.initializeElement(at: pieces, to: iovec(iov_base: start, iov_len: bytes.count))
                        gathered += bytes.count
                    }
                    pieces += 1
                    if piece.endsFrame { (wholeGathered, wholePieces) = (gathered, pieces) }
                    return pieces < Self.piecesPerWrite
                }
                if wholePieces > 0 { (gathered, pieces) = (wholeGathered, wholePieces) }
                var message = msghdr()
                message.msg_iov = ranges.baseAddress
                message.msg_iovlen = .init(pieces)
                while true {
                    let sent = sendmsg(descriptor, &message, Self.flags)
                    if sent >= 0 { return sent }
                    if errno != EINTR { return 0 }
                }
            }
            return (sent, sent == gathered, pieces)
        #else
            return (0, false, 0)
        #endif
    }

    #if os(Linux) || os(Android)
        /// A peer that is gone shall not end the process with SIGPIPE.
        @inline(__always)
        private static var flags: Int32 { Int32(MSG_DONTWAIT | MSG_NOSIGNAL) }
    #endif
}
