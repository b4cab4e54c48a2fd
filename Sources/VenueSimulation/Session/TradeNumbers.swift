import StreamCore

/// Lets the trades of a recording that is played again count on from where they ended: to a client, the same
/// numbers would be the same trades.
struct TradeNumbers: Sendable {
    /// Members whose value is the number of a trade.
    let members: [String]
    /// The numbers of those trades that are played in each round, by market and the way they are sent. Those of a snapshot
    /// are not sent again to one who listens already: they use up none.
    private var played: [Key: ClosedRange<UInt64>] = [:]

    private struct Key: Hashable {
        var symbol: String
        var kind: String
    }

    init(members: [String]) { self.members = members }

    /// Counts a trade that is played.
    mutating func count(_ trade: RecordedTrade) {
        guard let number = trade.number else { return }
        let key = Key(symbol: trade.symbol, kind: trade.kind)
        let known = played[key] ?? number...number
        played[key] = min(known.lowerBound, number)...max(known.upperBound, number)
    }

    /// What is added to a market's numbers in a round; 0 where none of its trades are played.
    func offset(_ symbol: String, _ kind: String, _ round: Int) -> UInt64 {
        guard let range = played[Key(symbol: symbol, kind: kind)] else { return 0 }
        return (range.upperBound - range.lowerBound &+ 1) &* UInt64(max(0, round))
    }

    /// A trade's number in a later round.
    func number(_ trade: RecordedTrade, round: Int) -> UInt64? {
        trade.number.map { $0 &+ offset(trade.symbol, trade.kind, round) }
    }

    /// A message of one market in a later round.
    func moved(_ bytes: [UInt8], symbol: String, kind: String, round: Int) -> [UInt8] {
        let offset = offset(symbol, kind, round)
        guard offset > 0, !members.isEmpty else { return bytes }
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
            let isQuoted = at < bytes.count && bytes[at] == 0x22
            let digits = bytes[(at + (isQuoted ? 1 : 0))...].prefix { $0 &- 0x30 < 10 }
            guard let number = UInt64(String(decoding: digits, as: UTF8.self)),
                !isQuoted || digits.endIndex < bytes.count && bytes[digits.endIndex] == 0x22
            else { continue }
            let moved = String(number &+ offset)
            result.append(contentsOf: (isQuoted ? "\"\(moved)\"" : moved).utf8)
            // With its closing quote, which would open the next string otherwise.
            at = digits.endIndex + (isQuoted ? 1 : 0)
        }
        return result
    }

    private func isMember(_ name: ArraySlice<UInt8>) -> Bool { members.contains { $0.utf8.elementsEqual(name) } }
}
