import Foundation
import MarketFeeds
import MarketModel

/// Messages that report one trade each, made of a recorded session's trades: its layout, its lengths, and hardly two
/// alike.
///
/// Trades that came many at once are taken apart. Numbers count up within each market, as the venues' do, and some digits
/// of each price and quantity are others every time, so that no frame is learnt by heart.
struct VenueFrames {
    let venue: Venue
    /// What must come before, such as the meaning of a channel's number.
    private(set) var before: [[UInt8]] = []
    private(set) var messages: [[UInt8]] = []

    init(_ recording: Recording, count: Int) {
        venue = recording.venue
        var session = VenueSession(venue: venue)
        var singles: [[UInt8]] = []
        for index in 0..<recording.messageCount where singles.count < 20_000 {
            recording.withMessage(index) { message in
                let kind = session.read(message)
                if kind == .acknowledgement { before.append(Array(message)) }
                if kind == .trades { singles += Self.singles(venue, session.trades, message) }
            }
        }
        guard !singles.isEmpty else { return }
        var numbering = Numbering(venue, before)
        messages = (0..<count).compactMap { numbering.renewed(singles[$0 % singles.count]) }
    }

    init(_ venue: Venue, made: [[UInt8]]) {
        self.venue = venue
        messages = made
    }

    /// A message for each of a message's trades.
    private static func singles(
        _ venue: Venue, _ trades: [VenueTrade], _ message: UnsafeRawBufferPointer
    ) -> [[UInt8]] {
        if trades.count == 1, venue != .bitfinex, venue != .gemini || !message.starts(with: l2) {
            return [Array(message)]
        }
        let rows = trades.compactMap { row(around: $0, in: message) }
        guard rows.count == trades.count, let first = rows.map(\.lowerBound).min(),
            let last = rows.map(\.upperBound).max()
        else { return [] }
        switch venue {
        case .kraken, .krakenArrays, .coinbaseAdvanced:
            let (head, end) = (Array(message[..<first]), Array(message[last...]))
            return rows.map { head + Array(message[$0]) + end }
        // A row of a market's first message is what a later message is.
        case .gemini: return rows.map { Array(message[$0]) }
        case .bitfinex:
            let head: [UInt8] = Array(message.prefix { $0 != UInt8(ascii: ",") }) + Array(",\"te\",".utf8)
            let end: [UInt8] = Array(",7]".utf8)
            return rows.map { head + Array(message[$0]) + end }
        default: return []
        }
    }

    private static let l2 = Array("{\"type\":\"l2_updates\"".utf8)

    /// The object or array that holds a trade's fields, and no other one.
    private static func row(around trade: VenueTrade, in message: UnsafeRawBufferPointer) -> Range<Int>? {
        guard let at = place(of: trade.price, in: message)?.lowerBound else { return nil }
        let opening: Set<UInt8> = [UInt8(ascii: "{"), UInt8(ascii: "[")]
        let closing: Set<UInt8> = [UInt8(ascii: "}"), UInt8(ascii: "]")]
        guard let start = message[..<at].lastIndex(where: opening.contains),
            let end = message[at...].firstIndex(where: closing.contains)
        else { return nil }
        return start..<end + 1
    }

    fileprivate static func place(of text: VenueText, in message: UnsafeRawBufferPointer) -> Range<Int>? {
        guard !text.isEmpty, let base = message.baseAddress else { return nil }
        let raw = text.read(in: message).raw
        return raw.baseAddress.map { $0 - base }.map { $0..<$0 + raw.count }
    }
}

/// Gives messages new numbers and digits.
private struct Numbering {
    /// As it is before the first trade.
    private var fresh: VenueSession
    private var next: [String: Int] = [:]
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(_ venue: Venue, _ before: [[UInt8]]) {
        fresh = VenueSession(venue: venue)
        for message in before { message.withUnsafeBytes { _ = fresh.read($0) } }
    }

    mutating func renewed(_ message: [UInt8]) -> [UInt8]? {
        var bytes = message
        var name: Range<Int>?
        var symbol = ""
        let isTrade = message.withUnsafeBytes { message in
            var session = fresh
            _ = session.read(message)
            guard session.trades.count == 1, let trade = session.trades.first else { return false }
            symbol = session.symbols.names[trade.market]
            name = VenueFrames.place(of: trade.name, in: message)
            for text in [trade.price, trade.volume] {
                if let place = VenueFrames.place(of: text, in: message) { change(&bytes, in: place) }
            }
            return true
        }
        guard isTrade else { return nil }
        if let name {
            // As long as it was: ten digits stay ten.
            let first = (0..<min(name.count - 1, 17)).reduce(1) { value, _ in value * 10 }
            let number = next[symbol] ?? first
            next[symbol] = number + 1
            bytes.replaceSubrange(name, with: "\(number)".utf8)
        }
        return bytes
    }

    /// Other digits in the places of some behind the first that counts.
    private mutating func change(_ bytes: inout [UInt8], in place: Range<Int>) {
        let digits = place.filter { bytes[$0] &- 0x31 < 9 }
        guard digits.count > 1 else { return }
        for _ in 0..<3 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let at = digits[1 + Int(random >> 33) % (digits.count - 1)]
            bytes[at] = 0x31 + UInt8((random >> 40) % 9)
        }
    }
}
