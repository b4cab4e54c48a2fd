import CZlib

/// Unpacks a gzip file (RFC 1952) piece by piece, in constant memory.
package final class GunzipStream {
    package enum Failure: Error {
        case corrupt, noMemory
        /// More than is allowed.
        case tooLarge
    }

    /// Whether a file that begins so is one.
    package static func isCompressed(_ beginning: some Collection<UInt8>) -> Bool {
        beginning.starts(with: [0x1F, 0x8B])
    }

    /// Whether the file may end here.
    package private(set) var isAtEnd = true

    // zlib keeps a pointer to the stream itself, which therefore must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var room = [UInt8](repeating: 0, count: 1 << 18)

    package init() throws(Failure) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 16 requests the gzip format; the size argument is what zlib checks its own version by.
        let status = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            stream.deallocate()
            throw .noMemory
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Unpacks the file's next bytes.
    /// - Parameter each: gets what was packed, in pieces of 256 KiB at most.
    package func unpack(_ bytes: [UInt8], _ each: (ArraySlice<UInt8>) throws -> Void) throws {
        var consumed = 0
        var hasMore = false
        while consumed < bytes.count || hasMore {
            // A file may be several gzip members one after another.
            if isAtEnd, consumed < bytes.count {
                guard inflateReset(stream) == Z_OK else { throw Failure.corrupt }
                isAtEnd = false
            }
            let step = bytes.withUnsafeBufferPointer { input in
                room.withUnsafeMutableBufferPointer { output -> (status: Int32, made: Int, used: Int) in
                    let available = input.count - consumed
                    // zlib never writes through next_in.
                    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress.map { $0 + consumed })
                    stream.pointee.avail_in = UInt32(min(available, Int(UInt32.max)))
                    let given = Int(stream.pointee.avail_in)
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    let status = inflate(stream, Z_NO_FLUSH)
                    return (status, output.count - Int(stream.pointee.avail_out), given - Int(stream.pointee.avail_in))
                }
            }
            // Z_BUF_ERROR: nothing is left to unpack before more comes.
            guard step.status == Z_OK || step.status == Z_STREAM_END || step.status == Z_BUF_ERROR else {
                throw Failure.corrupt
            }
            consumed += step.used
            if step.made > 0 { try each(room[..<step.made]) }
            isAtEnd = step.status == Z_STREAM_END
            hasMore = !isAtEnd && step.made == room.count
            if step.made == 0, step.used == 0, !hasMore { break }
        }
    }
}
