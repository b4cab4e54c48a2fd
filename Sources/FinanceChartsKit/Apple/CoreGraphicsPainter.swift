// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(CoreGraphics) && canImport(CoreText)
    public import ChartScene
    public import CoreGraphics
    import CoreText
    import Foundation

    /// Replays a display list into a CoreGraphics context.
    ///
    /// The context's origin is at the top left and one unit is a device pixel: scale it by the inverse of the display's
    /// scale first. Words that are not commands end the picture and numbers that are not finite leave out their shape.
    public struct CoreGraphicsPainter {
        private let context: CGContext
        private let space = CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB()

        public init(_ context: CGContext) { self.context = context }

        public func paint(_ list: DisplayList) {
            context.saveGState()
            // One level for the clip, so that another one replaces it.
            context.saveGState()
            for command in list.commands { draw(command) }
            context.restoreGState()
            context.restoreGState()
        }

        private func draw(_ command: DisplayCommand) {
            let operands = command.operands
            switch command.opcode {
            case .fillRects:
                context.setFillColor(colour(operands.word(0)))
                for at in stride(from: 1, through: operands.count - 4, by: 4) {
                    guard let rect = rect(operands, at) else { continue }
                    context.fill(rect)
                }
            case .segments:
                guard pen(operands) else { return }
                for at in stride(from: 4, through: operands.count - 4, by: 4) {
                    guard let line = numbers(operands, at, 4) else { continue }
                    context.move(to: CGPoint(x: line[0], y: line[1]))
                    context.addLine(to: CGPoint(x: line[2], y: line[3]))
                    context.strokePath()
                }
            case .polyline:
                guard pen(operands) else { return }
                context.setLineJoin(.round)
                path(operands, from: 4)
                context.strokePath()
            case .fillPolygon:
                context.setFillColor(colour(operands.word(0)))
                path(operands, from: 1)
                context.closePath()
                context.fillPath()
            case .roundRect:
                guard let rect = rect(operands, 1), let radius = numbers(operands, 5, 1)?[0] else { return }
                let corner = max(0, min(radius, rect.width / 2, rect.height / 2))
                context.setFillColor(colour(operands.word(0)))
                context.addPath(CGPath(roundedRect: rect, cornerWidth: corner, cornerHeight: corner, transform: nil))
                context.fillPath()
            case .text: text(operands)
            case .clip:
                guard let rect = rect(operands, 0) else { return }
                context.restoreGState()
                context.saveGState()
                context.clip(to: rect)
            case .unclip:
                context.restoreGState()
                context.saveGState()
            }
        }

        private func text(_ operands: DisplayOperands) {
            guard let values = numbers(operands, 1, 3), values[2] >= 1, values[2] <= 1000 else { return }
            let packed = operands.word(4)
            let isBold = packed >> 8 & 0xFF != 0
            let font = CTFontCreateUIFontForLanguage(isBold ? .emphasizedSystem : .system, values[2], nil)
            let content = String(decoding: operands.utf8, as: UTF8.self)
            let attributes: [NSAttributedString.Key: Any] = [
                NSAttributedString.Key(kCTFontAttributeName as String): font as Any,
                NSAttributedString.Key(kCTForegroundColorAttributeName as String): colour(operands.word(0)),
            ]
            let line = CTLineCreateWithAttributedString(NSAttributedString(string: content, attributes: attributes))
            var ascent: CGFloat = 0
            var descent: CGFloat = 0
            let width = CTLineGetTypographicBounds(line, &ascent, &descent, nil)
            let x: Double
            switch TextAlignment(rawValue: packed & 0xFF) ?? .left {
            case .left: x = values[0]
            case .centre: x = values[0] - width / 2
            case .right: x = values[0] - width
            }
            // CoreText draws upwards; the context goes down.
            context.textMatrix = CGAffineTransform(scaleX: 1, y: -1)
            context.textPosition = CGPoint(x: x, y: values[1] + (ascent - descent) / 2)
            CTLineDraw(line, context)
        }

        /// Colour, width and dashes of a line.
        private func pen(_ operands: DisplayOperands) -> Bool {
            guard let values = numbers(operands, 1, 3), values[0] > 0 else { return false }
            context.setStrokeColor(colour(operands.word(0)))
            context.setLineWidth(values[0])
            context.setLineJoin(.miter)
            let dashes = LineDashes(on: values[1], off: values[2])
            context.setLineDash(phase: 0, lengths: dashes.map { [CGFloat($0.on), CGFloat($0.off)] } ?? [])
            return true
        }

        private func path(_ operands: DisplayOperands, from start: Int) {
            context.beginPath()
            var isFirst = true
            for at in stride(from: start, through: operands.count - 2, by: 2) {
                guard let point = numbers(operands, at, 2) else { continue }
                let position = CGPoint(x: point[0], y: point[1])
                if isFirst { context.move(to: position) } else { context.addLine(to: position) }
                isFirst = false
            }
        }

        private func colour(_ rgba: UInt32) -> CGColor {
            let parts = [24, 16, 8, 0].map { CGFloat(rgba >> $0 & 0xFF) / 255 }
            return CGColor(colorSpace: space, components: parts) ?? CGColor(gray: 0, alpha: 1)
        }

        private func rect(_ operands: DisplayOperands, _ start: Int) -> CGRect? {
            numbers(operands, start, 4).map { CGRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
        }

        /// `count` numbers from operand `start`; `nil` if one is not finite.
        private func numbers(_ operands: DisplayOperands, _ start: Int, _ count: Int) -> [Double]? {
            let values = (start..<start + count).map { operands.number($0) }
            return values.allSatisfy(\.isFinite) ? values : nil
        }
    }

    extension ChartSnapshot {
        /// The picture as an image of `pixelWidth` x `pixelHeight`.
        public func cgImage() -> CGImage? {
            guard
                let context = CGContext(
                    data: nil, width: pixelWidth, height: pixelHeight, bitsPerComponent: 8, bytesPerRow: 0,
                    space: CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB(),
                    bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
            else { return nil }
            // A bitmap's origin is at the bottom left.
            context.translateBy(x: 0, y: CGFloat(pixelHeight))
            context.scaleBy(x: 1, y: -1)
            CoreGraphicsPainter(context).paint(list)
            return context.makeImage()
        }
    }
#endif
