import CZlib

/// Unpacks gzip files (RFC 1952) through zlib.
enum Gzip {
    enum Failure: Error { case corrupt, tooLarge, noMemory }

    static func isCompressed(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
    }

    /// - Parameter limit: the most bytes to unpack, against files made to fill the memory.
    /// - Returns: what is in it, and whether it ends in the middle: as a file does whose writer was killed.
    static func unpack(_ packed: [UInt8], limit: Int) throws(Failure) -> (bytes: [UInt8], isCut: Bool) {
        var stream = z_stream()
        // 16 requests the gzip format; the size argument is what zlib checks its own version by.
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .noMemory
        }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        var consumed = 0
        var status = Z_OK
        while consumed < packed.count {
            // A file may be several gzip members one after another.
            if status == Z_STREAM_END, inflateReset(&stream) != Z_OK { throw .corrupt }
            let step = packed.withUnsafeBufferPointer { input in
                chunk.withUnsafeMutableBufferPointer { room -> (status: Int32, made: Int, used: Int) in
                    let available = min(input.count - consumed, Int(UInt32.max))
                    // zlib never writes through next_in.
                    stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress! + consumed)
                    stream.avail_in = UInt32(available)
                    stream.next_out = room.baseAddress
                    stream.avail_out = UInt32(room.count)
                    let status = inflate(&stream, Z_NO_FLUSH)
                    return (status, room.count - Int(stream.avail_out), available - Int(stream.avail_in))
                }
            }
            guard step.status == Z_OK || step.status == Z_STREAM_END else { throw .corrupt }
            status = step.status
            consumed += step.used
            output.append(contentsOf: chunk[..<step.made])
            guard output.count <= limit else { throw .tooLarge }
            if step.made == 0, step.used == 0 { throw .corrupt }
        }
        // zlib may hold more output than fitted into the last chunk.
        while status == Z_OK {
            let step = chunk.withUnsafeMutableBufferPointer { room -> (status: Int32, made: Int) in
                stream.avail_in = 0
                stream.next_out = room.baseAddress
                stream.avail_out = UInt32(room.count)
                let status = inflate(&stream, Z_NO_FLUSH)
                return (status, room.count - Int(stream.avail_out))
            }
            guard step.made > 0 else { return (output, true) }
            output.append(contentsOf: chunk[..<step.made])
            status = step.status
            guard output.count <= limit else { throw .tooLarge }
        }
        return (output, false)
    }
}
