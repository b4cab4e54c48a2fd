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

private let adapters: [any HistoryAdapter] = {
    let name = getenv("CANDLEWIRE_VENUE").map { String(cString: $0) } ?? ""
    if name == Venue.provider.rawValue { return providers() }
    guard let venue = Venue(rawValue: name), let adapter = HistoryCatalogue.adapter(for: venue) else {
        fatalError("CANDLEWIRE_VENUE must be one of \(HistoryCatalogue.venues.map(\.rawValue)), provider")
    }
    return [adapter]
}()

/// The integration guide's answer, and one of rows inside.
private func providers() -> [any HistoryAdapter] {
    let files = [
        #"{"url":"wss://x.example/v1"}"#,
        #"""
        {"url":"wss://x.example/v1","history":{"path":"/ohlc?pair={symbol}","rows":"result.rows","time":"iso8601",
        "timestamp":"0","open":"1","high":"2","low":"3","close":"4","volume":"5"}}
        """#,
    ]
    return files.map { text in
        do {
            let configuration = try ProviderConfigurationReader(name: "fuzz.json").read(Array(text.utf8))
            guard let history = try ProviderAdapter(configuration).history else { fatalError("no history") }
            return history
        } catch {
            fatalError("\(error)")
        }
    }
}

private func check(_ adapter: any HistoryAdapter, _ read: () throws(HistoryError) -> Void) {
    do { try read() } catch {
        precondition(error.description.contains(adapter.venue.rawValue), "an error that names no venue")
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let body = Array(UnsafeBufferPointer(start: data, count: data == nil ? 0 : count))
    for adapter in adapters {
        check(adapter) { () throws(HistoryError) in
            for row in try adapter.candles(from: body) {
                precondition(row.candle.close.isFinite && row.candle.volume.isFinite, "a number that is none")
            }
        }
        check(adapter) { () throws(HistoryError) in _ = try adapter.symbols(from: body) }
        _ = adapter.nextPage(after: "/x?y=1", in: body)
        precondition(adapter.errorMessage(in: body).map { $0.utf8.count <= 4000 } ?? true, "a errorMessage without end")
    }
    return 0
}
