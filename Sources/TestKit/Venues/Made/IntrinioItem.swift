/// One item of a binary equities message: where it stands, and what a simulation must know of it.
struct IntrinioItem {
    var type: UInt8
    var symbol: String
    var price: Float
    var size: UInt32
    var nanoseconds: Int64
    var range: Range<Int>
    var timeRange: Range<Int>

    /// The items of a message; none where its lengths do not come out even.
    static func all(in message: [UInt8]) -> [IntrinioItem] {
        var items: [IntrinioItem] = []
        var at = 1
        for _ in 0..<(message.first ?? 0) {
            guard at + 3 <= message.count else { return [] }
            let length = Int(message[at + 1])
            let symbolEnd = at + 3 + Int(message[at + 2])
            guard at + length <= message.count, symbolEnd + 19 <= at + length else { return [] }
            func number<Value: FixedWidthInteger>(_ place: Int) -> Value {
                (0..<Value.bitWidth / 8).reversed().reduce(0) {
                    $0 << 8 | Value(truncatingIfNeeded: message[place + $1])
                }
            }
            items.append(
                IntrinioItem(
                    type: message[at], symbol: String(decoding: message[at + 3..<symbolEnd], as: UTF8.self),
                    price: Float(bitPattern: number(symbolEnd + 3)), size: number(symbolEnd + 7),
                    nanoseconds: number(symbolEnd + 11), range: at..<at + length,
                    timeRange: symbolEnd + 11..<symbolEnd + 19))
            at += length
        }
        return at == message.count ? items : []
    }

    /// The bytes of an item.
    static func bytes(type: UInt8, symbol: String, price: Float, size: UInt32, nanoseconds: Int64) -> [UInt8] {
        func little(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        // IEX as the sub-provider and the market centre, no condition.
        var rest = [UInt8(truncatingIfNeeded: symbol.utf8.count)] + Array(symbol.utf8) + [6] + little(UInt16(0x56))
        rest += little(price.bitPattern) + little(size) + little(nanoseconds)
        if type == 0 { rest += little(UInt32(1_000_000)) }
        rest.append(0)
        return [type, UInt8(truncatingIfNeeded: rest.count + 2)] + rest
    }
}
