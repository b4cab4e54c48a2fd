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

    /// The same for several ranges of bytes, in one system call.
    func write(_ ranges: UnsafeMutableBufferPointer<iovec>) -> Int {
        #if os(Linux) || os(Android)
            var message = msghdr()
            message.msg_iov = ranges.baseAddress
            message.msg_iovlen = .init(ranges.count)
            while true {
                let sent = sendmsg(descriptor, &message, Self.flags)
                if sent >= 0 { return sent }
                if errno != EINTR { return 0 }
            }
        #else
            return 0
        #endif
    }

    #if os(Linux) || os(Android)
        /// A peer that is gone shall not end the process with SIGPIPE.
        @inline(__always)
        private static var flags: Int32 { Int32(MSG_DONTWAIT | MSG_NOSIGNAL) }
    #endif
}
