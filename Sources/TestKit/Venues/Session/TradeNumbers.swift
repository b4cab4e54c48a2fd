import StreamCore

/// Lets the trades of a recording that is played again count on from where they ended: to whoever listens, the same
/// numbers would be the same trades.
struct TradeNumbers: Sendable {
    /// Members whose value is the number of a trade.
    let members: [String]
    /// How many numbers each market uses up in a round.
    let spans: [String: UInt64]

    init(members: [String], trades: [String: [VenueMarket.Placed]]) {
        self.members = members
        spans = trades.compactMapValues { placed in
            let numbers = placed.compactMap(\.trade.number)
            guard let low = numbers.min(), let high = numbers.max() else { return nil }
            return high - low &+ 1
        }
    }

    /// A trade's number in a later round.
    func number(_ trade: RecordedTrade?, round: Int) -> UInt64? {
        guard let trade, let number = trade.number else { return nil }
        return number &+ (spans[trade.symbol] ?? 0) &* UInt64(round)
    }

    /// A message of one market in a later round.
    func moved(_ bytes: [UInt8], symbol: String, round: Int) -> [UInt8] {
        guard round > 0, !members.isEmpty, let span = spans[symbol] else { return bytes }
        let offset = span &* UInt64(round)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 8)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x22 else {
                result.append(bytes[at])
                at += 1
                continue
            }
            // A string with its closing quote; where a colon follows, it is a name.
            let start = at
            at += 1
            while at < bytes.count, bytes[at] != 0x22 { at += bytes[at] == 0x5C ? 2 : 1 }
            at = min(at + 1, bytes.count)
            result.append(contentsOf: bytes[start..<at])
            guard at < bytes.count, bytes[at] == 0x3A, isMember(bytes[start + 1..<at - 1]) else { continue }
            result.append(0x3A)
            at += 1
            if at < bytes.count, bytes[at] == 0x22 {
                result.append(0x22)
                at += 1
            }
            let digits = bytes[at...].prefix { $0 &- 0x30 < 10 }
            guard let number = UInt64(String(decoding: digits, as: UTF8.self)) else { continue }
            result.append(contentsOf: String(number &+ offset).utf8)
            at += digits.count
        }
        return result
    }

    private func isMember(_ name: ArraySlice<UInt8>) -> Bool {
        members.contains { $0.utf8.elementsEqual(name) }
    }
}
