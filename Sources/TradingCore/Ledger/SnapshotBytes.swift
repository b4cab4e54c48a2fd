/// Writes what an account's snapshot has, compactly: whole numbers by seven bits a byte, words once.
struct SnapshotWriter {
    private(set) var bytes: [UInt8] = []
    private var words: [String: Int] = [:]

    mutating func int(_ value: Int) { wide(Int128(value)) }
    mutating func bool(_ value: Bool) { bytes.append(value ? 1 : 0) }
    mutating func decimal(_ value: ExactDecimal) { wide(value.units) }

    /// The sign becomes the last bit, so that small negative numbers are short too.
    private mutating func wide(_ value: Int128) {
        var rest = UInt128(bitPattern: (value << 1) ^ (value >> 127))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func double(_ value: Double) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
        }
    }

    mutating func text(_ value: String) {
        int(value.utf8.count)
        bytes += value.utf8
    }

    /// A text that comes again and again.
    mutating func word(_ value: String) {
        if let number = words[value] { return int(number) }
        words[value] = words.count + 1
        int(0)
        text(value)
    }

    mutating func optional<Value>(_ value: Value?, _ write: (inout SnapshotWriter, Value) -> Void) {
        bool(value != nil)
        if let value { write(&self, value) }
    }

    mutating func list<Value>(_ values: some Collection<Value>, _ write: (inout SnapshotWriter, Value) -> Void) {
        int(values.count)
        for value in values { write(&self, value) }
    }
}

/// Why bytes are no snapshot that this version reads. The account can still be made from its ledger.
package enum SnapshotError: Error, Equatable, Sendable { case otherVersion, malformed }

/// Reads what ``SnapshotWriter`` wrote. Never reads beyond the bytes, and makes nothing larger than they are.
struct SnapshotReader {
    private let bytes: [UInt8]
    private var place = 0
    private var words: [String] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    private mutating func byte() throws(SnapshotError) -> UInt8 {
        guard place < bytes.count else { throw .malformed }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func int() throws(SnapshotError) -> Int {
        guard let value = Int(exactly: try wide()) else { throw .malformed }
        return value
    }

    mutating func bool() throws(SnapshotError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    mutating func decimal() throws(SnapshotError) -> ExactDecimal {
        do { return try ExactDecimal(units: try wide()) } catch { throw .malformed }
    }

    private mutating func wide() throws(SnapshotError) -> Int128 {
        var (value, shift): (UInt128, UInt128) = (0, 0)
        while true {
            let next = try byte()
            guard shift < 128 else { throw .malformed }
            value |= UInt128(next & 0x7F) << shift
            if next < 0x80 { break }
            shift += 7
        }
        return Int128(bitPattern: value >> 1) ^ -Int128(bitPattern: value & 1)
    }

    mutating func double() throws(SnapshotError) -> Double {
        var pattern: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { pattern |= UInt64(try byte()) << shift }
        return Double(bitPattern: pattern)
    }

    mutating func text() throws(SnapshotError) -> String {
        let count = try int()
        guard count >= 0, count <= bytes.count - place else { throw .malformed }
        defer { place += count }
        guard let text = String(validating: bytes[place..<place + count], as: UTF8.self) else { throw .malformed }
        return text
    }

    mutating func word() throws(SnapshotError) -> String {
        let number = try int()
        if number == 0 {
            words.append(try text())
            return words[words.count - 1]
        }
        guard words.indices.contains(number - 1) else { throw .malformed }
        return words[number - 1]
    }

    mutating func optional<Value>(
        _ read: (inout SnapshotReader) throws(SnapshotError) -> Value
    ) throws(SnapshotError) -> Value? { try bool() ? try read(&self) : nil }

    mutating func list<Value>(
        _ read: (inout SnapshotReader) throws(SnapshotError) -> Value
    ) throws(SnapshotError) -> [Value] {
        let count = try int()
        // Each value has a byte at least.
        guard count >= 0, count <= bytes.count - place else { throw .malformed }
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }
}
