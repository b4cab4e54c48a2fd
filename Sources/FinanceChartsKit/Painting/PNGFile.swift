#if canImport(CZlib)
    import CZlib

    /// Pixels as the bytes of a PNG file (ISO/IEC 15948).
    ///
    /// Made for charts, whose rows mostly repeat the one above: each row is written as its difference to that one (filter
    /// type 2), which is zeros, and zlib's quickest level makes little of them. Files are about a sixth larger than those
    /// of an encoder that tries all filters at level 6, and take half its time.
    public enum PNGFile {
        /// - Parameter pixels: row by row from the top, each `0xAARRGGBB` with colours multiplied by alpha, as
        ///   `CairoPainter.pixels` gives them. Without a see-through pixel, the file has no alpha.
        /// - Throws: `PaintError` where there are not `width * height` pixels, at least one, or memory runs out.
        /// - Complexity: O(pixels); holds two rows and 64 KiB beside the result.
        public static func bytes(_ pixels: [UInt32], width: Int, height: Int) throws(PaintError) -> [UInt8] {
            guard width > 0, height > 0, width <= 1 << 24, height <= 1 << 24,
                width * height == pixels.count
            else {
                throw PaintError("\(pixels.count) pixels are no picture of \(width) x \(height).")
            }
            return try pixels.withUnsafeBufferPointer { pixels throws(PaintError) in
                try encode(pixels.baseAddress!, rowWords: width, width: width, height: height)
            }
        }

        /// - Parameter rowWords: from the start of a row to that of the next.
        static func encode(
            _ pixels: UnsafePointer<UInt32>, rowWords: Int, width: Int, height: Int
        ) throws(PaintError) -> [UInt8] {
            let isOpaque = (0..<height).allSatisfy { y in
                PixelRow(start: pixels + y * rowWords, count: width).isOpaque
            }
            let channels = isOpaque ? 3 : 4
            var file = PNGChunks()
            file.header(width: width, height: height, channels: channels)

            let deflater = try Deflater()
            // The row above the first one is zeros.
            var above = [UInt32](repeating: 0, count: width)
            var straight = above
            var filtered = [UInt8](repeating: 0, count: 1 + channels * width)
            filtered[0] = 2
            for y in 0..<height {
                let row = PixelRow(start: pixels + y * rowWords, count: width)
                // Without see-through pixels all alphas are 255, and the colours as they are.
                if isOpaque { row.copy(into: &straight) } else { row.divideByAlpha(into: &straight) }
                straight.withUnsafeBufferPointer { straight in
                    filtered.withUnsafeMutableBufferPointer { filtered in
                        PixelRow(start: straight.baseAddress!, count: width)
                            .writeDifference(to: above, into: filtered.baseAddress! + 1, channels: channels)
                    }
                }
                swap(&above, &straight)
                try deflater.compress(filtered, isLast: y == height - 1, into: &file)
            }
            file.append("IEND", [])
            return file.bytes
        }
    }

    /// One row of pixels, `0xAARRGGBB` each.
    private struct PixelRow {
        let start: UnsafePointer<UInt32>
        let count: Int

        var isOpaque: Bool {
            var all: UInt32 = 0xFF00_0000
            for x in 0..<count { all &= start[x] }
            return all == 0xFF00_0000
        }

        /// Red, green, blue and perhaps alpha less those of the pixel above, each modulo 256.
        func writeDifference(to above: UnsafePointer<UInt32>, into bytes: UnsafeMutablePointer<UInt8>, channels: Int) {
            bytes.update(repeating: 0, count: channels * count)
            var x = 0
            let now = UnsafeRawPointer(start)
            let before = UnsafeRawPointer(above)
            while x < count {
                // Most of a chart repeats the row above, and is zeros already.
                if x + 4 <= count,
                    now.loadUnaligned(fromByteOffset: x * 4, as: SIMD4<UInt32>.self)
                        == before.loadUnaligned(fromByteOffset: x * 4, as: SIMD4<UInt32>.self)
                {
                    x += 4
                    continue
                }
                let end = min(x + 4, count)
                while x < end {
                    let (a, b) = (start[x], above[x])
                    let at = bytes + x * channels
                    at[0] = UInt8(truncatingIfNeeded: a >> 16) &- UInt8(truncatingIfNeeded: b >> 16)
                    at[1] = UInt8(truncatingIfNeeded: a >> 8) &- UInt8(truncatingIfNeeded: b >> 8)
                    at[2] = UInt8(truncatingIfNeeded: a) &- UInt8(truncatingIfNeeded: b)
                    if channels == 4 {
                        at[3] = UInt8(truncatingIfNeeded: a >> 24) &- UInt8(truncatingIfNeeded: b >> 24)
                    }
                    x += 1
                }
            }
        }

        func copy(into row: inout [UInt32]) {
            row.withUnsafeMutableBufferPointer { $0.baseAddress!.update(from: start, count: count) }
        }

        /// The same row with colours as they are without alpha, as PNG keeps them.
        func divideByAlpha(into straight: inout [UInt32]) {
            for x in 0..<count {
                let pixel = start[x]
                let alpha = pixel >> 24
                guard alpha > 0 else {
                    straight[x] = 0
                    continue
                }
                func divided(_ shift: UInt32) -> UInt32 {
                    min(255, ((pixel >> shift & 0xFF) * 255 + alpha / 2) / alpha) << shift
                }
                straight[x] = alpha << 24 | divided(16) | divided(8) | divided(0)
            }
        }
    }

    /// The parts of a file, each with its length, name and checksum.
    private struct PNGChunks {
        private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

        /// Eight bits a channel; three are red, green and blue, the fourth is alpha.
        mutating func header(width: Int, height: Int, channels: Int) {
            append("IHDR", bigEndian(width) + bigEndian(height) + [8, channels == 4 ? 6 : 2, 0, 0, 0])
        }

        mutating func append(_ name: StaticString, _ content: some Collection<UInt8>) {
            bytes += bigEndian(content.count)
            let start = bytes.count
            name.withUTF8Buffer { bytes += $0 }
            bytes += content
            let checksum = bytes[start...].withUnsafeBufferPointer {
                crc32(0, $0.baseAddress, UInt32($0.count))
            }
            bytes += bigEndian(Int(checksum))
        }

        private func bigEndian(_ value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
    }

    /// A zlib stream whose output becomes `IDAT` chunks.
    private final class Deflater {
        private static let room = 65_536
        // zlib's state points back at the stream, so that must stay where it is.
        private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        private let output = UnsafeMutablePointer<UInt8>.allocate(capacity: room)

        init() throws(PaintError) {
            stream.initialize(to: z_stream())
            emptyOutput()
            let status = deflateInit_(stream, 1, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            // What `deinit` ends is then a stream that never began, which zlib allows.
            guard status == Z_OK else { throw PaintError("zlib could not begin the picture (\(status)).") }
        }

        deinit {
            deflateEnd(stream)
            stream.deallocate()
            output.deallocate()
        }

        func compress(_ row: [UInt8], isLast: Bool, into file: inout PNGChunks) throws(PaintError) {
            var status = Z_OK
            row.withUnsafeBufferPointer { row in
                // zlib only reads from it.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: row.baseAddress)
                stream.pointee.avail_in = UInt32(row.count)
                var isMore = true
                while isMore {
                    status = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    isMore = status == Z_OK && (isLast || stream.pointee.avail_out == 0)
                    if stream.pointee.avail_out == 0 || status == Z_STREAM_END {
                        let count = Deflater.room - Int(stream.pointee.avail_out)
                        file.append("IDAT", UnsafeBufferPointer(start: output, count: count))
                        emptyOutput()
                    }
                }
            }
            // Nothing left to do (`Z_BUF_ERROR`) is no error here: the output was full and empty again by chance.
            guard status == (isLast ? Z_STREAM_END : Z_OK) || (status == Z_BUF_ERROR && !isLast) else {
                throw PaintError("zlib could not write the picture (\(status)).")
            }
        }

        private func emptyOutput() {
            stream.pointee.next_out = output
            stream.pointee.avail_out = UInt32(Deflater.room)
        }
    }
#endif
