import CZlib
import NIOCore
import StreamCore

/// Inflates the messages of one direction of a connection (RFC 7692 section 7.2.2).
struct Inflater: ~Copyable {
    /// On the heap: zlib's state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let resetsAfterMessage: Bool

    /// What the sender left out of its last block.
    private static let tail: (UInt8, UInt8, UInt8, UInt8) = (0x00, 0x00, 0xFF, 0xFF)
    /// `data_type` after a whole block: no bits left over, the head of the next block is awaited.
    private static let betweenBlocks: Int32 = 128

    /// - Parameters:
    ///   - windowBits: 8 to 15, at least what the sender uses.
    ///   - prepare: for tests that count allocations.
    /// - Returns: nil where there is no memory.
    init?(windowBits: Int, resetsAfterMessage: Bool, prepare: (UnsafeMutablePointer<z_stream>) -> Void = { _ in }) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        prepare(stream)
        let status = inflateInit2_(stream, -Int32(windowBits), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        self.stream = stream
        self.resetsAfterMessage = resetsAfterMessage
        if status != Z_OK { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Appends the inflated payload of a message to `output`, which must be empty.
    ///
    /// - Parameter limit: the most bytes of it. At most one more is made before the message is refused, and never room
    ///   for more than twice as many consumed.
    /// - Returns: what was wrong; the inflater is then of no more use.
    mutating func inflate(
        _ payload: UnsafeRawBufferPointer, limit: Int, into output: inout ByteBuffer
    ) -> WebSocketFailure? {
        // Strictly an empty message is one byte; zero bytes cannot mean anything else.
        guard payload.count > 0 else { return nil }
        let expecting = min(limit, payload.count.multipliedReportingOverflow(by: 4).partialValue)
        switch feed(payload, limit: limit, expecting: expecting, into: &output) {
        case .failed(let failure): return failure
        case .goesOn:
            let result = withUnsafeBytes(of: Self.tail) { feed($0, limit: limit, expecting: 64, into: &output) }
            if case .failed(let failure) = result { return failure }
            // A message that ends inside a block would swallow the tail as data.
            guard stream.pointee.data_type == Self.betweenBlocks else { return .invalidCompression }
        case .ended:
            // The last block was marked as the last (BFINAL), and nothing follows it. The window lives on.
            inflateResetKeep(stream)
        }
        if resetsAfterMessage { inflateReset(stream) }
        return nil
    }

    private enum Result {
        /// All input is used up.
        case goesOn
        /// All input is used up, with a block marked as the last.
        case ended
        case failed(WebSocketFailure)
    }

    private func feed(
        _ input: UnsafeRawBufferPointer, limit: Int, expecting: Int, into output: inout ByteBuffer
    ) -> Result {
        // A message is far below 4 GiB: its limit was checked before.
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
            .assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        var room = expecting
        while true {
            var status = Z_OK
            var hasRoomLeft = false
            // One byte beyond the limit distinguishes a message that is too big from one that just fits.
            let left = min(limit, 1 << 40) + 1 - output.readableBytes
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: min(max(room, 256), left)) { target in
                let available = UInt32(min(target.count, left, 1 << 30))
                stream.pointee.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = available
                status = CZlib.inflate(stream, Z_SYNC_FLUSH)
                hasRoomLeft = stream.pointee.avail_out > 0
                return Int(available - stream.pointee.avail_out)
            }
            guard output.readableBytes <= limit else { return .failed(.inflatedTooBig) }
            room = output.readableBytes
            let isUsedUp = stream.pointee.avail_in == 0
            switch status {
            case Z_OK, Z_BUF_ERROR:
                if isUsedUp, hasRoomLeft { return .goesOn }
                // Without progress there would be none the next time either.
                if status == Z_BUF_ERROR, hasRoomLeft { return .failed(.invalidCompression) }
            case Z_STREAM_END:
                if isUsedUp { return .ended }
                inflateResetKeep(stream)
            default: return .failed(.invalidCompression)
            }
        }
    }
}
