/// Numbers symbols, and finds a symbol's number from its bytes without making a string.
public struct SymbolTable: Sendable {
    public private(set) var names: [String] = []
    /// All names one after another, and where each ends.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// Open addressing, linear probing; -1 is free. At most half full.
    private var slots: [Int32] = Array(repeating: -1, count: 16)

    public init(_ names: some Sequence<String> = []) { for name in names { insert(name) } }
    public var count: Int { names.count }

    /// The symbol's number; a new one is appended.
    @discardableResult public mutating func insert(_ name: String) -> Int {
        if let known = find(name) { return known }
        let number = names.count
        names.append(name)
        bytes.append(contentsOf: name.utf8)
        ends.append(bytes.count)
        if names.count * 2 > slots.count {
            slots = Array(repeating: -1, count: slots.count * 2)
            for index in names.indices { place(index) }
        } else {
            place(number)
        }
        return number
    }

    private mutating func place(_ number: Int) {
        let mask = slots.count - 1
        let range = range(number)
        var slot = bytes.withUnsafeBytes { Self.hash(UnsafeRawBufferPointer(rebasing: $0[range])) } & mask
        while slots[slot] >= 0 { slot = (slot + 1) & mask }
        slots[slot] = Int32(number)
    }

    /// The number of the symbol with these bytes.
    public func find(_ name: UnsafeRawBufferPointer) -> Int? {
        let mask = slots.count - 1
        var slot = Self.hash(name) & mask
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if isEqual(number, name) { return number }
            slot = (slot + 1) & mask
        }
        return nil
    }

    public func find(_ name: String) -> Int? {
        var copy = name
        return copy.withUTF8 { find(UnsafeRawBufferPointer($0)) }
    }

    /// The symbol with this text, escapes resolved.
    public func find(_ text: JSONText) -> Int? { text.hasEscapes ? find(text.string) : find(text.raw) }

    private func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

    private func isEqual(_ number: Int, _ name: UnsafeRawBufferPointer) -> Bool {
        let range = range(number)
        guard range.count == name.count else { return false }
        return bytes.withUnsafeBytes { all in
            let known = UnsafeRawBufferPointer(rebasing: all[range])
            var at = 0
            while at &+ 8 <= name.count {
                guard Self.word(known, at) == Self.word(name, at) else { return false }
                at &+= 8
            }
            return at == name.count || Self.rest(known, from: at) == Self.rest(name, from: at)
        }
    }

    /// A word at a time, each multiplied with 2^64 divided by the golden ratio: symbols are short, and come from our
    /// own configuration or a venue, not from an attacker.
    @_transparent
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hash = UInt64(truncatingIfNeeded: bytes.count)
        var at = 0
        while at &+ 8 <= bytes.count {
            hash = mix(hash ^ word(bytes, at))
            at &+= 8
        }
        if at < bytes.count { hash = mix(hash ^ rest(bytes, from: at)) }
        return Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: hash) >> 1)
    }

    @_transparent
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }

    @_transparent
    private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }

    /// The last 1 to 7 bytes as a number.
    @_transparent
    private static func rest(_ bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
        let count = bytes.count &- start
        guard count >= 4 else {
            // The first, the middle and the last: of three and fewer those are all.
            let (first, middle, last) = (bytes[start], bytes[start &+ count / 2], bytes[start &+ count &- 1])
            return UInt64(first) | UInt64(middle) << 8 | UInt64(last) << 16
        }
        // Two words of four bytes that may have some in common.
        let first = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        let last = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: bytes.count &- 4, as: UInt32.self))
        return UInt64(first) | UInt64(last) << 32
    }
}
