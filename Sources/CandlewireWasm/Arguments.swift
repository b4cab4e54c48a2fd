import ChartScene

// What the page's arguments mean. Numbers that name nothing give `nil`.

/// UTF-8 in the page's memory, valid during the call; no bytes where there is no pointer.
func text(_ utf8: UnsafePointer<UInt8>?, _ length: Int32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8, count: utf8 == nil ? 0 : max(0, Int(length)))
}

/// A case by the number that it has at the boundary.
func choice<Value: RawRepresentable>(_ number: Int32) -> Value? where Value.RawValue == UInt8 {
    UInt8(exactly: number).flatMap { Value(rawValue: $0) }
}

/// 0xRRGGBBAA; a negative number is the usual colour, `nil`.
func pageColour(_ number: Double) -> Colour? {
    UInt32(exactly: number).map { Colour(rgba: $0) }
}
