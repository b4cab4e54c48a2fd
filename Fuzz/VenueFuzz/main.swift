// libFuzzer entry for the venues' parsers. CANDLEWIRE_VENUE says whose; the input is a session, a message a line. Of a
// binary one it is a single message.
//
// Beside not crashing: each message is of one kind, each malformed one has a reason, each trade belongs to a market and can
// be read, and no count goes below nothing. A provider's message means the same whatever came before it.

import MarketModel
import StreamCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

private let venue: Venue = {
    guard let name = getenv("CANDLEWIRE_VENUE"), let venue = Venue(rawValue: String(cString: name)) else {
        fatalError("CANDLEWIRE_VENUE must be one of \(Venue.allowedNames)")
    }
    return venue
}()

/// A session that has seen layouts reads a message as one does that has seen none.
private func compare(_ session: VenueSession, _ kind: VenueMessageKind, _ message: UnsafeRawBufferPointer) {
    var fresh = VenueSession(venue: venue)
    precondition(fresh.read(message) == kind, "a layout changed what a message is")
    precondition(fresh.trades.count == session.trades.count, "a layout changed the number of trades")
    for (known, new) in zip(session.trades, fresh.trades) {
        precondition(
            known.tick == new.tick && known.side == new.side && known.name == new.name && known.price == new.price
                && known.volume == new.volume && known.priceDecimals == new.priceDecimals,
            "a layout changed a trade")
        precondition(
            session.symbols.names[known.market] == fresh.symbols.names[new.market], "a layout changed a market")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count)
    var session = VenueSession(venue: venue)
    let lines = venue == .intrinioEquities ? [bytes[...]] : bytes.split(separator: 0x0A)
    for line in lines {
        let message = UnsafeRawBufferPointer(rebasing: line)
        _ = Venue.recognise(message)
        let before = session.counts.trades
        let kind = session.read(message)
        precondition(kind != .malformed || session.trades.isEmpty, "a malformed message reported a trade")
        precondition(session.trades.count == session.counts.trades - before, "a trade was not counted")
        if venue == .provider { compare(session, kind, message) }
        for trade in session.trades {
            precondition(session.symbols.names.indices.contains(trade.market), "a trade of no market")
            // Binary prices have no digits.
            guard !trade.price.isEmpty else { continue }
            let digits = trade.price.read(in: message).raw
            precondition(DecimalParser.parseWhole(digits) == trade.tick.price, "a price that is not its text")
        }
    }
    let counts = session.counts
    precondition(VenueMessageKind.allCases.reduce(0) { $0 + counts.kinds[$1] } == counts.messages, "a message is lost")
    precondition(VenueFlaw.allCases.reduce(0) { $0 + counts.flaws[$1] } == counts.malformed, "a loss without a reason")
    precondition(counts.missing >= 0, "less than nothing is missing")
    return 0
}
