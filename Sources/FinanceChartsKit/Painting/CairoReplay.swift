#if canImport(CCairo)
    import CCairo
    import ChartScene

    /// Draws the commands of a display list, one after the other.
    struct CairoReplay {
        private let context: OpaquePointer?

        init(_ context: OpaquePointer?) { self.context = context }

        mutating func draw(_ command: DisplayCommand) {
            let operands = command.operands
            switch command.opcode {
            case .fillRects: fillRects(operands)
            case .segments: segments(operands)
            case .polyline: polyline(operands)
            case .fillPolygon: fillPolygon(operands)
            case .roundRect: roundRect(operands)
            case .text: text(operands)
            case .clip:
                guard let rect = four(operands, 0) else { return }
                cairo_reset_clip(context)
                cairo_rectangle(context, rect.0, rect.1, rect.2, rect.3)
                cairo_clip(context)
            case .unclip: cairo_reset_clip(context)
            }
        }

        private func fillRects(_ operands: DisplayOperands) {
            colour(operands.word(0))
            for at in stride(from: 1, through: operands.count - 4, by: 4) {
                guard let rect = four(operands, at) else { continue }
                cairo_rectangle(context, rect.0, rect.1, rect.2, rect.3)
                // One by one: as one path, overlapping rectangles of a see-through colour would merge.
                cairo_fill(context)
            }
        }

        private func segments(_ operands: DisplayOperands) {
            guard pen(operands) else { return }
            for at in stride(from: 4, through: operands.count - 4, by: 4) {
                guard let line = four(operands, at) else { continue }
                cairo_move_to(context, line.0, line.1)
                cairo_line_to(context, line.2, line.3)
                cairo_stroke(context)
            }
        }

        private func polyline(_ operands: DisplayOperands) {
            guard pen(operands) else { return }
            // Sharp turns of a price line must not grow spikes.
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            path(operands, from: 4)
            cairo_stroke(context)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER)
        }

        private func fillPolygon(_ operands: DisplayOperands) {
            colour(operands.word(0))
            path(operands, from: 1)
            cairo_close_path(context)
            cairo_fill(context)
        }

        private func path(_ operands: DisplayOperands, from start: Int) {
            cairo_new_path(context)
            for at in stride(from: start, through: operands.count - 2, by: 2) {
                guard let x = number(operands, at), let y = number(operands, at + 1) else { continue }
                cairo_line_to(context, x, y)
            }
        }

        private func roundRect(_ operands: DisplayOperands) {
            guard let (x, y, width, height) = four(operands, 1), let wanted = number(operands, 5) else { return }
            let radius = max(0, min(wanted, width / 2, height / 2))
            colour(operands.word(0))
            cairo_new_path(context)
            cairo_arc(context, x + width - radius, y + radius, radius, -.pi / 2, 0)
            cairo_arc(context, x + width - radius, y + height - radius, radius, 0, .pi / 2)
            cairo_arc(context, x + radius, y + height - radius, radius, .pi / 2, .pi)
            cairo_arc(context, x + radius, y + radius, radius, .pi, .pi * 1.5)
            cairo_close_path(context)
            cairo_fill(context)
        }

        private func text(_ operands: DisplayOperands) {
            guard let left = number(operands, 1), let middle = number(operands, 2), let size = number(operands, 3),
                size >= 1, size <= 1000
            else { return }
            // Bytes that are no UTF-8 are repaired here; Cairo would stop drawing altogether.
            let content = String(decoding: operands.utf8, as: UTF8.self)
            let packed = operands.word(4)
            let weight = packed >> 8 & 0xFF == 0 ? CAIRO_FONT_WEIGHT_NORMAL : CAIRO_FONT_WEIGHT_BOLD
            // Its figures all have one width, so numbers stand still while they change. Where the font is missing,
            // fontconfig gives the system's sans-serif.
            cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, weight)
            cairo_set_font_size(context, size)
            var font = cairo_font_extents_t()
            cairo_font_extents(context, &font)
            var extents = cairo_text_extents_t()
            cairo_text_extents(context, content, &extents)
            let x: Double
            switch TextAlignment(rawValue: packed & 0xFF) ?? .left {
            case .left: x = left
            case .centre: x = left - extents.x_advance / 2
            case .right: x = left - extents.x_advance
            }
            colour(operands.word(0))
            cairo_move_to(context, x, middle + (font.ascent - font.descent) / 2)
            cairo_show_text(context, content)
            cairo_new_path(context)
        }

        /// Colour, width and dashes of a line.
        private func pen(_ operands: DisplayOperands) -> Bool {
            guard let width = number(operands, 1), width > 0, let on = number(operands, 2),
                let off = number(operands, 3)
            else { return false }
            colour(operands.word(0))
            cairo_set_line_width(context, min(width, 1000))
            if let dashes = LineDashes(on: on, off: off) {
                var lengths = (dashes.on, dashes.off)
                withUnsafeBytes(of: &lengths) {
                    cairo_set_dash(context, $0.assumingMemoryBound(to: Double.self).baseAddress, 2, 0)
                }
            } else {
                cairo_set_dash(context, nil, 0, 0)
            }
            return true
        }

        private func colour(_ rgba: UInt32) {
            cairo_set_source_rgba(
                context, Double(rgba >> 24) / 255, Double(rgba >> 16 & 0xFF) / 255, Double(rgba >> 8 & 0xFF) / 255,
                Double(rgba & 0xFF) / 255)
        }

        /// The number at an operand, kept within what Cairo can place; `nil` if it is not finite.
        private func number(_ operands: DisplayOperands, _ index: Int) -> Double? {
            LineDashes.placeable(operands.number(index))
        }

        /// Four numbers; no array, for there is one such call for each candle.
        private func four(_ operands: DisplayOperands, _ start: Int) -> (Double, Double, Double, Double)? {
            guard let a = number(operands, start), let b = number(operands, start + 1),
                let c = number(operands, start + 2), let d = number(operands, start + 3)
            else { return nil }
            return (a, b, c, d)
        }
    }
#endif
