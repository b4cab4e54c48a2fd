import ArgumentParser
import Foundation
import HistoryStore
import MarketFeeds
import MarketModel
import StreamCore

/// `candlewire compare`: our candles beside the venue's own.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "List where the store's candles differ from the venue's own, and why.",
        discussion: """
            A candle can be missing here or there, or differ in its prices or its volume;
            because our stream began inside it, our feed was down, or a late trade
            changed it, where that is known. A venue's row without trades and no candle
            at all mean the same. A server may be running.

            EXAMPLES
              candlewire compare coinbase:BTC-USD
              candlewire compare binance:BTCUSDT --from 2024-08-08 --to 2024-08-09 --json

            EXIT CODES
              0 they are the same, 1 they differ, 64 wrong usage, 66 the store has no
              such candles, 69 the venue cannot be reached or refuses
            """)

    @OptionGroup var venue: VenueOptions
    @OptionGroup var period: PeriodOptions
    @OptionGroup var storage: StoreOptions
    @Flag(help: "Print a JSON document with every difference.") var json = false

    func run() async throws {
        try await Failure.exitCleanly {
            let (from, to) = try period.times()
            let market = try venue.resolved()
            try DataDirectory.actAsOwner(of: storage.directory)
            let store = try CandleStore(directory: storage.liveDirectory, mustExist: true)
            let report = try await store.closing { try await compare(market, store, from: from, to: to) }
            print(json ? report.document : report.text, terminator: "")
            if !report.comparison.differences.isEmpty { throw ExitCode(1) }
        }
    }

    private func compare(
        _ market: VenueOptions.Resolved, _ store: CandleStore, from: Double?, to: Double?
    ) async throws -> CompareReport {
        let (history, timeframe) = (market.history, venue.timeframe)
        guard let first = try await store.firstTimestamp(symbol: market.stored, timeframe: timeframe),
            let last = try await store.lastTimestamp(symbol: market.stored, timeframe: timeframe)
        else {
            throw CommandFailure(
                66,
                "\(store.path) has no \(timeframe.rawValue) candles of \(market.stored); --as names another symbol of it."
            )
        }
        // Unless a time is named: the newest thousand that we have.
        let end = min(to ?? timeframe.bucketEnd(ofBucketAt: last), history.finished(timeframe))
        let begin = max(
            from ?? max(first, timeframe.bucketStart(of: end - 1000 * timeframe.seconds)), history.earliest(timeframe))
        guard begin < end else {
            throw CommandFailure(
                66,
                "There is nothing to compare: \(history.adapter.name) has candles from "
                    + "\(TimeText.utc(history.earliest(timeframe))) UTC on, and the requested time ends at "
                    + "\(TimeText.utc(end)).")
        }
        let progress = ProgressLine("comparing \(market.title)")
        defer { progress.clear() }
        var theirs: [HistoryCandle] = []
        var malformed: Set<Double> = []
        var covered: Range<Double>?
        var next: Double? = begin
        while let start = next {
            let page = try await history.page(symbol: market.symbol, timeframe: timeframe, from: start, to: end)
            theirs += page.candles
            malformed.formUnion(page.malformed)
            covered = (covered?.lowerBound ?? page.covered.lowerBound)..<page.covered.upperBound
            next = page.next
            progress.show((page.covered.upperBound - begin) / (end - begin), "\(theirs.count) candles")
        }
        // What the venue holds to be running, by its own clock, would differ and mean nothing.
        guard let covered, !covered.isEmpty else {
            throw CommandFailure(
                66,
                "There is nothing to compare: \(history.adapter.name) has not closed the candles from "
                    + "\(TimeText.utc(begin)) UTC; check the clocks, or try again later.")
        }
        let ours = try await store.storedCandles(
            symbol: market.stored, timeframe: timeframe, from: covered.lowerBound, before: covered.upperBound,
            limit: Int(Int32.max)
        ).filter { !malformed.contains($0.candle.timestamp) }
        return CompareReport(
            market: market.title, stored: market.stored, timeframe: timeframe, from: covered.lowerBound,
            to: covered.upperBound, malformed: malformed.count,
            comparison: CandleComparison(ours: ours.map { ($0.candle, $0.quality) }, theirs: theirs))
    }
}

/// A comparison, for people and for programs.
struct CompareReport {
    /// Differences that the text lists.
    static let shown = 50

    let market: String
    let stored: String
    let timeframe: Timeframe
    let from: Double
    let to: Double
    /// Candles of which the venue's rows make no sense, and which are left out.
    let malformed: Int
    let comparison: CandleComparison

    var text: String {
        var text =
            "\(market), \(timeframe.rawValue), \(TimeText.utc(from)) to \(TimeText.utc(to)) UTC: "
            + "\(comparison.equal.grouped) of \(comparison.buckets.grouped) candles are the same"
        if comparison.fillers > 0 {
            text += ", \(comparison.fillers.grouped) without trades have a row on one side only"
        }
        if malformed > 0 { text += ", \(malformed.grouped) invalid candles of the venue" }
        text += "\n"
        guard !comparison.differences.isEmpty else { return text }
        let rows = comparison.differences.prefix(Self.shown).flatMap { difference in
            let sides = [("ours", difference.ours), ("theirs", difference.theirs)].filter { $0.1 != nil }
            return sides.enumerated().map { (difference, $0.offset == 0, $0.element.0, $0.element.1) }
        }
        func number(_ value: Double?) -> String? { value.map { JSONValue.number($0).json } }
        let table = TextTable.text(rows) { difference, isFirst, side, candle in
            [
                .left("time (UTC)", isFirst ? TimeText.utc(difference.timestamp) : nil),
                .left("why", isFirst ? difference.reason.sentence : nil), .left("side", side),
                .decimal("open", number(candle?.open)), .decimal("high", number(candle?.high)),
                .decimal("low", number(candle?.low)), .decimal("close", number(candle?.close)),
                .decimal("volume", number(candle?.volume)),
            ]
        }
        text += "\n" + table
        let left = comparison.differences.count - Self.shown
        if left > 0 { text += "… and \(left.grouped) more; --json prints all\n" }
        let reasons = CandleDifference.Reason.allCases.compactMap { reason -> String? in
            let count = comparison.differences.count { $0.reason == reason }
            return count > 0 ? "\(count.grouped) \(reason.sentence)" : nil
        }
        return text + "\ndifferent: \(reasons.joined(separator: ", "))\n"
    }

    var document: String {
        var sink: [UInt8] = []
        sink.string("{\"market\":", market)
        sink.string(",\"stored\":", stored)
        sink.string(",\"timeframe\":", timeframe.rawValue)
        sink.number(",\"from\":", from)
        sink.number(",\"to\":", to)
        sink.integer(",\"buckets\":", comparison.buckets)
        sink.integer(",\"equal\":", comparison.equal)
        sink.integer(",\"fillers\":", comparison.fillers)
        sink.integer(",\"malformed\":", malformed)
        sink.json(",\"differences\":")
        sink.list(comparison.differences) { sink, difference in
            sink.number("{\"timestamp\":", difference.timestamp)
            sink.string(",\"reason\":", difference.reason.rawValue)
            sink.json(",\"ours\":")
            Self.write(difference.ours, into: &sink)
            sink.json(",\"theirs\":")
            Self.write(difference.theirs, into: &sink)
            sink.json("}")
        }
        sink.json("}\n")
        return String(decoding: sink, as: UTF8.self)
    }

    private static func write(_ candle: Candle?, into sink: inout [UInt8]) {
        guard let candle else { return sink.json("null") }
        sink.number("{\"open\":", candle.open)
        sink.number(",\"high\":", candle.high)
        sink.number(",\"low\":", candle.low)
        sink.number(",\"close\":", candle.close)
        sink.number(",\"volume\":", candle.volume)
        sink.json("}")
    }
}
