// libFuzzer entry for the answers of venues' REST interfaces. CANDLEWIRE_VENUE says whose; the input is a body.
//
// Beside not crashing: an answer is candles or an error that names the venue, and so is a list of markets.

import MarketModel
import StreamCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

private let adapter: any HistoryAdapter = {
    guard let name = getenv("CANDLEWIRE_VENUE"), let venue = Venue(rawValue: String(cString: name)),
        let adapter = HistoryCatalogue.adapter(for: venue)
    else { fatalError("CANDLEWIRE_VENUE must be one of \(HistoryCatalogue.venues.map(\.rawValue))") }
    return adapter
}()

private func check(_ read: () throws(HistoryError) -> Void) {
    do { try read() } catch {
        precondition(error.description.contains(adapter.venue.rawValue), "an error that names no venue")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let body = Array(UnsafeBufferPointer(start: data, count: data == nil ? 0 : count))
    check { () throws(HistoryError) in
        for row in try adapter.candles(from: body) {
            precondition(row.candle.close.isFinite && row.candle.volume.isFinite, "a number that is none")
        }
    }
    check { () throws(HistoryError) in _ = try adapter.symbols(from: body) }
    _ = adapter.nextPage(after: "/x?y=1", in: body)
    precondition(adapter.complaint(in: body).map { $0.utf8.count <= 4000 } ?? true, "a complaint without end")
    return 0
}
