import ChartScene
import MarketModel

// The memory that the page and the module share, and what the page's arguments mean.

/// Memory for the page to write data into, aligned for `f64`; 0 for no bytes. It comes from the C library's `malloc`,
/// which serves the Swift runtime too.
@_cdecl("cw_alloc")
public func cw_alloc(_ bytes: Int32) -> UnsafeMutableRawPointer? {
    bytes > 0 ? .allocate(byteCount: Int(bytes), alignment: 8) : nil
}

/// Gives memory of `cw_alloc` back.
@_cdecl("cw_free")
public func cw_free(_ pointer: UnsafeMutableRawPointer?) {
    pointer?.deallocate()
}

/// Fingerprint of the exports, records and enums that this module was built from: the page compares it with its own.
/// `Scripts/describe-boundary` writes both.
@_cdecl("cw_layout")
public func cw_layout() -> Int32 { boundaryLayout }

/// UTF-8 in the page's memory, valid during the call; no bytes where there is no pointer.
func text(_ utf8: UnsafePointer<UInt8>?, _ length: Int32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8, count: utf8 == nil ? 0 : max(0, Int(length)))
}

/// A case by the number that it has at the boundary; `nil` for a number that names nothing.
func choice<Value: RawRepresentable>(_ number: Int32) -> Value? where Value.RawValue == UInt8 {
    UInt8(exactly: number).flatMap { Value(rawValue: $0) }
}

/// 0xRRGGBBAA; a negative number is the default colour, `nil`.
func pageColour(_ number: Double) -> Colour? {
    UInt32(exactly: number).map { Colour(rgba: $0) }
}

/// Candles as the page writes them: six `f64` each, in the order of `CandleRecord`.
struct CandleRecords: RandomAccessCollection {
    let numbers: UnsafePointer<Double>
    let count: Int

    /// `nil` without a pointer or without a candle.
    init?(_ numbers: UnsafePointer<Double>?, count: Int32) {
        guard let numbers, count > 0 else { return nil }
        self.numbers = numbers
        self.count = Int(count)
    }

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> Candle {
        let at = numbers + index * 6
        return Candle(timestamp: at[0], open: at[1], high: at[2], low: at[3], close: at[4], volume: at[5])
    }
}

/// Memory that the page reads or writes directly. It lies outside of Swift's arrays, so that its address stays valid
/// until it has to grow.
struct PageBuffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    /// Elements in use.
    private(set) var count = 0

    init(capacity: Int) {
        base = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { base.deallocate() }

    /// Makes room for `needed` elements and answers where they go. What was there before is lost where it had to grow.
    mutating func reserve(_ needed: Int) -> UnsafeMutablePointer<Element> {
        if needed > capacity {
            base.deallocate()
            capacity = needed + needed / 2
            base = .allocate(capacity: capacity)
        }
        return base
    }

    /// Replaces the content by a copy of `elements`.
    mutating func fill(_ elements: [Element]) {
        removeAll()
        append(elements)
    }

    mutating func removeAll() { count = 0 }

    /// Makes room for more elements behind the present ones and answers where they go.
    mutating func append(count more: Int) -> UnsafeMutablePointer<Element> {
        if count + more > capacity {
            capacity = (count + more) * 3 / 2
            let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
            larger.update(from: base, count: count)
            base.deallocate()
            base = larger
        }
        defer { count += more }
        return base + count
    }

    mutating func append(_ elements: [Element]) {
        let target = append(count: elements.count)
        elements.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { target.update(from: base, count: source.count) }
        }
    }
}
