/// Numbers symbols, and finds a symbol's number from its bytes without making a string.
public struct SymbolTable: Sendable {
    public private(set) var names: [String] = []
    /// All names one after another, and where each ends.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// Open addressing, linear probing; -1 is free. At most half full.
    private var slots: [Int32] = Array(repeating: -1, count: 16)

    public init(_ names: some Sequence<String> = []) {
        for name in names { insert(name) }
    }

    public var count: Int { names.count }

    /// The symbol's number; a new one is appended.
    @discardableResult
    public mutating func insert(_ name: String) -> Int {
        let key = Array(name.utf8)
        if let known = key.withUnsafeBytes({ find($0) }) { return known }
        let number = names.count
        names.append(name)
        bytes += key
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
        let name = Array(bytes[range(number)])
        var slot = name.withUnsafeBytes { Self.hash($0) } & mask
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
    public func find(_ text: JSONText) -> Int? {
        text.hasEscapes ? find(text.string) : find(text.raw)
    }

    private func range(_ number: Int) -> Range<Int> {
        (number == 0 ? 0 : ends[number - 1])..<ends[number]
    }

    private func isEqual(_ number: Int, _ name: UnsafeRawBufferPointer) -> Bool {
        let range = range(number)
        guard range.count == name.count else { return false }
        return bytes.withUnsafeBytes { all in
            for index in 0..<name.count where all[range.lowerBound &+ index] != name[index] { return false }
            return true
        }
    }

    /// FNV-1a: symbols are short, and come from our own configuration or a venue, not from an attacker.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int(truncatingIfNeeded: hash)
    }
}
