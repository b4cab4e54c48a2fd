/// The encoder: one method a command, all coordinates in device pixels.
extension DisplayList {
    /// Starts a batch of filled rectangles; add them with `rect`, finish with `end`.
    @inline(never)
    public mutating func beginRects(_ colour: Colour) { begin(.fillRects, colour) }

    /// Starts a batch of lines; add them with `segment`, finish with `end`.
    /// - Parameter dashOn: length of a dash; 0 with `dashOff` 0 is a solid line.
    @inline(never)
    public mutating func beginSegments(_ colour: Colour, width: Double, dashOn: Double = 0, dashOff: Double = 0) {
        begin(.segments, colour)
        pen(width, dashOn, dashOff)
    }

    /// Starts a connected line; add its points with `point`, finish with `end`.
    @inline(never)
    public mutating func beginPolyline(_ colour: Colour, width: Double, dashOn: Double = 0, dashOff: Double = 0) {
        begin(.polyline, colour)
        pen(width, dashOn, dashOff)
    }

    /// Starts a filled polygon; add its corners with `point`, finish with `end`.
    @inline(never)
    public mutating func beginPolygon(_ colour: Colour) { begin(.fillPolygon, colour) }

    /// A rectangle of the open `beginRects`.
    @inline(__always)
    public mutating func rect(x: Double, y: Double, width: Double, height: Double) {
        number(x)
        number(y)
        number(width)
        number(height)
    }

    /// A line of the open `beginSegments`.
    @inline(__always)
    public mutating func segment(x1: Double, y1: Double, x2: Double, y2: Double) {
        point(x: x1, y: y1)
        point(x: x2, y: y2)
    }

    /// A point of the open `beginPolyline` or `beginPolygon`.
    @inline(__always)
    public mutating func point(x: Double, y: Double) {
        number(x)
        number(y)
    }

    /// Finishes the open batch; one without a shape leaves no trace.
    @inline(never)
    public mutating func end() {
        guard openCommand >= 0 else { return }
        let opcode = words[openCommand]
        let length = words.count - openCommand
        let emptyLength =
            opcode == DisplayOpcode.fillRects.rawValue || opcode == DisplayOpcode.fillPolygon.rawValue ? 2 : 5
        if length <= emptyLength {
            words.removeLast(length)
        } else {
            // A header has 24 bits for the length; a longer batch cannot come from a chart of at most 32,768 pixels.
            words[openCommand] = opcode | UInt32(truncatingIfNeeded: length) << 8
        }
        openCommand = -1
    }

    /// Discards the open batch.
    mutating func cancel() {
        guard openCommand >= 0 else { return }
        words.removeLast(words.count - openCommand)
        openCommand = -1
    }

    /// One filled rectangle.
    @inline(never)
    public mutating func fillRect(_ colour: Colour, x: Double, y: Double, width: Double, height: Double) {
        beginRects(colour)
        rect(x: x, y: y, width: width, height: height)
        end()
    }

    /// One filled rectangle with round corners.
    @inline(never)
    public mutating func roundRect(
        _ colour: Colour, x: Double, y: Double, width: Double, height: Double, radius: Double
    ) {
        words.append(DisplayOpcode.roundRect.rawValue | 7 << 8)
        words.append(colour.rgba)
        rect(x: x, y: y, width: width, height: height)
        number(radius)
    }

    mutating func dot(_ colour: Colour, _ x: Double, _ y: Double, _ radius: Double) {
        roundRect(colour, x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius, radius: radius)
    }

    /// One line of text.
    /// - Parameters:
    ///   - y: the vertical middle of the line.
    ///   - size: font size in device pixels.
    @inline(never)
    package mutating func text(
        _ colour: Colour, x: Double, y: Double, size: Double, align: TextAlignment, bold: Bool = false,
        _ content: TextBuffer
    ) {
        let bytes = content.bytes
        guard !bytes.isEmpty else { return }
        words.append(DisplayOpcode.text.rawValue | UInt32(7 + (bytes.count + 3) / 4) << 8)
        words.append(colour.rgba)
        number(x)
        number(y)
        number(size)
        words.append(align.rawValue | (bold ? 1 << 8 : 0))
        words.append(UInt32(bytes.count))
        for start in stride(from: 0, to: bytes.count, by: 4) {
            var word: UInt32 = 0
            for at in start..<min(start + 4, bytes.count) { word |= UInt32(bytes[at]) << UInt32((at - start) * 8) }
            words.append(word)
        }
    }

    /// Limits what follows to a rectangle, in place of any earlier limit.
    @inline(never)
    public mutating func clip(x: Double, y: Double, width: Double, height: Double) {
        words.append(DisplayOpcode.clip.rawValue | 5 << 8)
        rect(x: x, y: y, width: width, height: height)
    }

    /// Ends the limit of `clip`.
    public mutating func unclip() { words.append(DisplayOpcode.unclip.rawValue | 1 << 8) }

    private mutating func begin(_ opcode: DisplayOpcode, _ colour: Colour) {
        openCommand = words.count
        words.append(opcode.rawValue)
        words.append(colour.rgba)
    }

    private mutating func pen(_ width: Double, _ dashOn: Double, _ dashOff: Double) {
        number(width)
        number(dashOn)
        number(dashOff)
    }

    @inline(__always)
    private mutating func number(_ value: Double) { words.append(Float(value).bitPattern) }
}
