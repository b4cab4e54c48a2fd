#if os(Linux)
    import FinanceChartsKit
    import Foundation
    import TestKit
    import Testing

    @Suite("The Cairo painter")
    struct PainterTests {
        static let red = Colour(rgb: 0xFF0000)
        static let blue = Colour(rgb: 0x0000FF)

        /// A picture of 40 x 20 pixels, its pixels as 0xAARRGGBB.
        struct Picture {
            let pixels: [UInt32]
            let width: Int

            init(width: Int = 40, height: Int = 20, _ draw: (inout DisplayList) -> Void) throws {
                var list = DisplayList()
                draw(&list)
                pixels = try CairoPainter(width: width, height: height).pixels(list)
                self.width = width
            }

            subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }

            /// The pixels that are not empty: leftmost, topmost, rightmost, bottommost.
            var bounds: [Int]? {
                let drawn = pixels.indices.filter { pixels[$0] != 0 }
                guard !drawn.isEmpty else { return nil }
                let columns = drawn.map { $0 % width }
                let rows = drawn.map { $0 / width }
                return [columns.min()!, rows.min()!, columns.max()!, rows.max()!]
            }
        }

        static let opaqueRed: UInt32 = 0xFFFF_0000
        static let opaqueBlue: UInt32 = 0xFF00_00FF

        @Test("fills exactly the pixels of rectangles on whole pixels")
        func rects() throws {
            let picture = try Picture { list in
                list.beginRects(Self.red)
                list.rect(x: 2, y: 3, width: 4, height: 5)
                list.rect(x: 10, y: 3, width: 1, height: 1)
                list.end()
            }
            #expect(picture.pixels.count { $0 == Self.opaqueRed } == 21)
            #expect(picture.pixels.count { $0 == 0 } == 40 * 20 - 21)
            #expect(
                picture[2, 3] == Self.opaqueRed && picture[5, 7] == Self.opaqueRed && picture[10, 3] == Self.opaqueRed)
        }

        @Test("blends a see-through colour, overlapping rectangles twice")
        func alpha() throws {
            let picture = try Picture { list in
                list.beginRects(Colour(rgba: 0xFF00_0080))
                list.rect(x: 0, y: 0, width: 4, height: 4)
                list.rect(x: 2, y: 0, width: 4, height: 4)
                list.end()
            }
            #expect(picture[0, 0] >> 24 == 0x80)
            #expect(picture[3, 0] >> 24 == 0xC0)
        }

        @Test("draws a line of one pixel through pixel centres, solid and dashed")
        func segments() throws {
            let solid = try Picture { list in
                list.beginSegments(Self.red, width: 1)
                list.segment(x1: 0, y1: 4.5, x2: 40, y2: 4.5)
                list.segment(x1: 7.5, y1: 10, x2: 7.5, y2: 15)
                list.end()
            }
            #expect(solid.pixels.count { $0 == Self.opaqueRed } == 45)
            #expect(solid[0, 4] == Self.opaqueRed && solid[39, 4] == Self.opaqueRed && solid[7, 14] == Self.opaqueRed)
            let dashed = try Picture { list in
                list.beginSegments(Self.red, width: 1, dashOn: 4, dashOff: 4)
                list.segment(x1: 0, y1: 4.5, x2: 40, y2: 4.5)
                list.end()
            }
            #expect(dashed.pixels.count { $0 == Self.opaqueRed } == 20)
            #expect(dashed[3, 4] == Self.opaqueRed && dashed[4, 4] == 0 && dashed[8, 4] == Self.opaqueRed)
        }

        @Test("draws a connected line through its points")
        func polyline() throws {
            let picture = try Picture { list in
                list.beginPolyline(Self.blue, width: 2)
                list.point(x: 5, y: 5)
                list.point(x: 30, y: 5)
                list.point(x: 30, y: 15)
                list.end()
            }
            #expect(picture[20, 4] == Self.opaqueBlue && picture[20, 5] == Self.opaqueBlue)
            #expect(picture[29, 10] == Self.opaqueBlue && picture[30, 10] == Self.opaqueBlue)
            #expect(picture[20, 10] == 0)
        }

        @Test("fills a polygon")
        func polygon() throws {
            let picture = try Picture { list in
                list.beginPolygon(Self.red)
                for (x, y) in [(10.0, 0.0), (30, 0), (20, 20)] { list.point(x: x, y: y) }
                list.end()
            }
            #expect(picture[20, 10] == Self.opaqueRed && picture[11, 15] == 0 && picture[29, 15] == 0)
        }

        @Test("rounds the corners of a label")
        func roundRect() throws {
            let picture = try Picture { list in
                list.roundRect(Self.red, x: 10, y: 5, width: 20, height: 10, radius: 4)
            }
            #expect(picture.bounds == [10, 5, 29, 14])
            #expect(picture[20, 10] == Self.opaqueRed && picture[20, 5] == Self.opaqueRed)
            #expect(picture[10, 5] != Self.opaqueRed && picture[29, 14] != Self.opaqueRed)
        }

        @Test("limits drawing to the clip, replaces it, and ends it")
        func clip() throws {
            let picture = try Picture { list in
                list.clip(x: 0, y: 0, width: 5, height: 5)
                list.fillRect(Self.red, x: 0, y: 0, width: 40, height: 20)
                list.clip(x: 10, y: 0, width: 5, height: 5)
                list.fillRect(Self.blue, x: 0, y: 0, width: 40, height: 20)
                list.unclip()
                list.fillRect(Self.blue, x: 39, y: 19, width: 1, height: 1)
            }
            #expect(picture.pixels.count { $0 == Self.opaqueRed } == 25)
            #expect(picture.pixels.count { $0 == Self.opaqueBlue } == 26)
        }

        static func text(_ content: String) -> TextBuffer {
            var buffer = TextBuffer()
            buffer.append(utf8: Array(content.utf8))
            return buffer
        }

        @Test("puts a text left of, around or right of its point, its middle at y", arguments: [0, 1, 2] as [UInt32])
        func text(alignment: UInt32) throws {
            let align = try #require(TextAlignment(rawValue: alignment))
            let picture = try Picture(width: 400, height: 100) { list in
                list.text(Self.red, x: 200, y: 50, size: 30, align: align, Self.text("67,234.50"))
            }
            let bounds = try #require(picture.bounds)
            let expected: ClosedRange<Int> =
                switch align {
                case .left: 200...206
                case .centre: 110...140
                case .right: 30...80
                }
            #expect(expected.contains(bounds[0]))
            // Digits stand on the baseline, a comma hangs below it: the middle of the digits is within two pixels of y.
            #expect((36...42).contains(bounds[1]))
            #expect((58...68).contains(bounds[3]))
        }

        @Test("gives every figure the same width, in both weights", arguments: [false, true])
        func tabular(bold: Bool) throws {
            var widths: Set<Int> = []
            for digit in 0...9 {
                // The bar behind the figures stands where they end.
                let picture = try Picture(width: 600, height: 60) { list in
                    let figures = String(repeating: "\(digit)", count: 20)
                    list.text(Self.red, x: 0, y: 30, size: 24, align: .left, bold: bold, Self.text(figures + "|"))
                }
                widths.insert(try #require(picture.bounds)[2])
            }
            #expect(widths.count == 1)
        }

        @Test("draws bytes that are no UTF-8, and goes on after them")
        func brokenText() throws {
            // text, colour, x, y, size 12, left, three bytes that never occur in UTF-8
            let text: [UInt32] = [
                6 | 8 << 8, 0xFF00_00FF, Float(2).bitPattern, Float(10).bitPattern, Float(12).bitPattern, 0, 3,
                0x00FF_FEFF,
            ]
            var after = DisplayList()
            after.fillRect(Self.blue, x: 39, y: 19, width: 1, height: 1)
            let list = DisplayList(words: text + after.words)
            let pixels = try CairoPainter(width: 40, height: 20).pixels(list)
            #expect(pixels.last == Self.opaqueBlue)
        }

        @Test("survives any words", arguments: 0..<40)
        func garbage(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let painter = try CairoPainter(width: 64, height: 64)
            for _ in 0..<10 {
                var words: [UInt32] = []
                for _ in 0..<random.below(12) {
                    // Mostly believable headers, so that operands are read; half of the operands believable numbers.
                    let length = 1 + random.below(24)
                    words.append(UInt32(random.below(10)) | UInt32(length) << 8)
                    for _ in 1..<max(length, 2) {
                        let number = Float(random.below(4000) - 2000) / 10
                        words.append(
                            random.below(2) == 0 ? UInt32(truncatingIfNeeded: random.next()) : number.bitPattern)
                    }
                }
                let cut = DisplayList(words: Array(words.prefix(random.below(words.count + 1))))
                for list in [DisplayList(words: words), cut] {
                    #expect(try painter.pixels(list).count == 64 * 64)
                    #expect(try !painter.image(list, as: .svg).isEmpty)
                    #expect(try !painter.image(list, as: .pdf).isEmpty)
                }
            }
        }

        @Test("writes each format with its signature and its size")
        func formats() throws {
            var list = DisplayList()
            list.fillRect(Self.red, x: 0, y: 0, width: 80, height: 40)
            list.text(Self.blue, x: 4, y: 20, size: 12, align: .left, Self.text("BTC-USD"))
            let painter = try CairoPainter(width: 80, height: 40, pixelRatio: 2)
            let png = try painter.image(list, as: .png)
            #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            // IHDR: width and height, big-endian.
            #expect(png[16..<24] == [0, 0, 0, 80, 0, 0, 0, 40])
            let svg = String(decoding: try painter.image(list, as: .svg), as: UTF8.self)
            #expect(svg.contains("<svg") && svg.contains("width=\"40px\"") && svg.contains("height=\"20px\""))
            #expect(svg.hasSuffix("</svg>\n"))
            let pdf = try painter.image(list, as: .pdf)
            #expect(pdf.starts(with: Array("%PDF-".utf8)))
            #expect(String(decoding: pdf.suffix(8), as: UTF8.self).contains("%%EOF"))
        }

        @Test("paints the same list to the same PNG bytes")
        func same() throws {
            var list = DisplayList()
            list.text(Self.blue, x: 4, y: 20, size: 12, align: .left, Self.text("67,234.50"))
            let painter = try CairoPainter(width: 80, height: 40)
            let first = try painter.image(list, as: .png)
            let second = try painter.image(list, as: .png)
            #expect(first == second)
        }

        @Test("refuses sizes that Cairo has not", arguments: [(0, 10), (10, 0), (-1, 10), (32_768, 10), (10, .max)])
        func size(width: Int, height: Int) {
            #expect(throws: PaintError.self) { try CairoPainter(width: width, height: height) }
        }

        @Test("refuses a pixel ratio that is no scale", arguments: [0, -1, .nan, .infinity] as [Double])
        func ratio(ratio: Double) {
            #expect(throws: PaintError.self) { try CairoPainter(width: 10, height: 10, pixelRatio: ratio) }
        }
    }
#endif
