import CZlib

enum Gzip {
    typealias Failure = GunzipStream.Failure

    /// - Parameter limit: the most bytes to unpack, against files made to fill the memory.
    /// - Returns: what is in it, and whether it ends in the middle: as a file does whose writer was killed.
    static func unpack(_ packed: [UInt8], limit: Int) throws(Failure) -> (bytes: [UInt8], isCut: Bool) {
        let stream = try GunzipStream()
        var output: [UInt8] = []
        do {
            try stream.unpack(packed) { piece in
                output += piece
                guard output.count <= limit else { throw Failure.tooLarge }
            }
        } catch { throw error as? Failure ?? .corrupt }
        return (output, !stream.isAtEnd)
    }

    /// Packs bytes as one gzip member. Several members one after another are a gzip file too, so that a file can be
    /// completed piece by piece and is whole after each.
    static func pack(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .noMemory }
        defer { deflateEnd(&stream) }
        guard bytes.count <= Int(UInt32.max) else { throw .tooLarge }
        var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let status = bytes.withUnsafeBufferPointer { input in
            packed.withUnsafeMutableBufferPointer { output -> Int32 in
                // zlib never writes through next_in.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { throw .noMemory }
        packed.removeLast(Int(stream.avail_out))
        return packed
    }
}
