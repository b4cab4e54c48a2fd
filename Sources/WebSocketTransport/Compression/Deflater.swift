import CZlib
import NIOCore

/// Compresses the messages of one direction of a connection (RFC 7692 section 7.2.1).
struct Deflater: ~Copyable {
    /// On the heap: zlib's state points back to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private let resetsAfterMessage: Bool

    /// - Parameters:
    ///   - windowBits: 8 to 15. zlib has no raw window of 256 bytes, but it never refers back further than its window
    ///     less 262 bytes: with 512 that is 250, so its 9 is right for a peer that holds 8.
    ///   - prepare: for tests that count allocations.
    /// - Returns: nil where there is no memory.
    init?(
        level: Int, windowBits: Int, memoryLevel: Int, resetsAfterMessage: Bool,
        prepare: (UnsafeMutablePointer<z_stream>) -> Void = { _ in }
    ) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        prepare(stream)
        // Negative bits mean raw DEFLATE, without zlib's head and checksum.
        let status = deflateInit2_(
            stream, Int32(level), Z_DEFLATED, -Int32(max(9, windowBits)), Int32(memoryLevel), Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        self.stream = stream
        self.resetsAfterMessage = resetsAfterMessage
        if status != Z_OK { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Appends the compressed payload of a message to `output`.
    mutating func compress(_ payload: UnsafeRawBufferPointer, into output: inout ByteBuffer) {
        // zlib writes nothing for an empty input. This is an empty block without the four bytes that are left out below.
        guard let base = payload.baseAddress, payload.count > 0 else {
            output.writeInteger(UInt8(0))
            return
        }
        var consumed = 0
        repeat {
            let count = min(payload.count - consumed, 1 << 30)
            // zlib never writes through next_in.
            stream.pointee.next_in = UnsafeMutableRawPointer(mutating: base + consumed)
                .assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(count)
            consumed += count
            run(flush: consumed == payload.count ? Z_SYNC_FLUSH : Z_NO_FLUSH, expecting: count / 4, into: &output)
        } while consumed < payload.count
        // A flush ends with an empty block, whose last four bytes (00 00 FF FF) the receiver adds again.
        output.moveWriterIndex(to: output.writerIndex - 4)
        if resetsAfterMessage { deflateReset(stream) }
    }

    private func run(flush: Int32, expecting: Int, into output: inout ByteBuffer) {
        var isDone = false
        while !isDone {
            // More than the six bytes of a flush marker, or zlib would write several.
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: max(64, expecting)) { room in
                stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(min(room.count, 1 << 30))
                let available = stream.pointee.avail_out
                let status = deflate(stream, flush)
                isDone = stream.pointee.avail_out > 0 || status == Z_BUF_ERROR
                return Int(available - stream.pointee.avail_out)
            }
        }
    }
}
