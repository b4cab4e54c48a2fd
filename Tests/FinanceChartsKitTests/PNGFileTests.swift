#if os(Linux)
    import CCairo
    import FinanceChartsKit
    import TestKit
    import Testing

    @Suite("The PNG encoder")
    struct PNGFileTests {
        /// What libpng reads, as pixels multiplied by alpha; `nil` where it refuses the file.
        static func decoded(_ file: [UInt8]) -> (pixels: [UInt32], width: Int, height: Int)? {
            final class Source {
                let bytes: [UInt8]
                var at = 0
                init(_ bytes: [UInt8]) { self.bytes = bytes }
            }
            let source = Source(file)
            let surface = cairo_image_surface_create_from_png_stream(
                { source, target, count in
                    guard let source, let target else { return CAIRO_STATUS_READ_ERROR }
                    let file = Unmanaged<Source>.fromOpaque(source).takeUnretainedValue()
                    guard file.at + Int(count) <= file.bytes.count else { return CAIRO_STATUS_READ_ERROR }
                    for index in 0..<Int(count) { target[index] = file.bytes[file.at + index] }
                    file.at += Int(count)
                    return CAIRO_STATUS_SUCCESS
                }, Unmanaged.passUnretained(source).toOpaque())
            defer { cairo_surface_destroy(surface) }
            guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, source.at == file.count,
                let data = cairo_image_surface_get_data(surface)
            else { return nil }
            let (width, height) = (cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface))
            // Without alpha the top byte is not said.
            let isOpaque = cairo_image_surface_get_format(surface) == CAIRO_FORMAT_RGB24
            var pixels: [UInt32] = []
            for y in 0..<Int(height) {
                let row = UnsafeRawPointer(data) + y * Int(cairo_image_surface_get_stride(surface))
                for x in 0..<Int(width) {
                    pixels.append(row.load(fromByteOffset: x * 4, as: UInt32.self) | (isOpaque ? 0xFF00_0000 : 0))
                }
            }
            return (pixels, Int(width), Int(height))
        }

        @Test(
            "libpng reads back every pixel of an opaque picture",
            arguments: [(1, 1), (3, 2), (4, 5), (61, 37), (700, 300)])
        func opaque(width: Int, height: Int) throws {
            var random = SeededGenerator(seed: UInt64(width))
            // Noise does not compress, so the large ones have several chunks; every other row repeats but for a pixel.
            var pixels = (0..<width * height).map { _ in UInt32.random(in: 0...0xFF_FFFF, using: &random) | 0xFF00_0000
            }
            for y in stride(from: 1, to: height, by: 2) {
                for x in 1..<max(width, 2) where x < width { pixels[y * width + x] = pixels[(y - 1) * width + x] }
            }
            let file = try PNGFile.bytes(pixels, width: width, height: height)
            let read = try #require(Self.decoded(file))
            #expect(read.width == width && read.height == height)
            #expect(read.pixels == pixels)
            #expect(file[25] == 2, "no alpha")
        }

        @Test("translucent pixels come back to eight-bit precision")
        func alpha() throws {
            var random = SeededGenerator(seed: 9)
            let pixels = (0..<50 * 40).map { _ -> UInt32 in
                let alpha = UInt32.random(in: 0...255, using: &random)
                func channel() -> UInt32 { UInt32.random(in: 0...alpha, using: &random) }
                return alpha << 24 | channel() << 16 | channel() << 8 | channel()
            }
            let file = try PNGFile.bytes(pixels, width: 50, height: 40)
            let read = try #require(Self.decoded(file))
            #expect(file[25] == 6)
            for (a, b) in zip(read.pixels, pixels) {
                #expect(a >> 24 == b >> 24)
                for shift in [0, 8, 16] as [UInt32] {
                    let (one, other) = (Int(a >> shift & 0xFF), Int(b >> shift & 0xFF))
                    #expect(abs(one - other) <= 1, "\(a) \(b)")
                }
            }
        }

        @Test("a picture's file is what its pixels give, and a chart's is small")
        func chart() throws {
            var picture = ChartPicture()
            (picture.width, picture.height, picture.pixelRatio) = (600, 350, 1)
            picture.studies = [StudySettings(.ema), StudySettings(.rsi)]
            let list = picture.list(walk(300), symbol: "X", timeframe: .m1)
            let painter = try CairoPainter(width: 600, height: 350)
            let file = try painter.image(list, as: .png)
            #expect(try PNGFile.bytes(painter.pixels(list), width: 600, height: 350) == file)
            #expect(try #require(Self.decoded(file)).pixels == painter.pixels(list))
            #expect(file.count < 60_000)
        }

        @Test("refuses what is no picture", arguments: [(0, 0), (2, 3), (-1, -5), (5, 0), (.max, .max)])
        func refuses(width: Int, height: Int) {
            #expect(throws: PaintError.self) {
                try PNGFile.bytes([1, 2, 3, 4, 5], width: width, height: height)
            }
        }
    }
#endif
