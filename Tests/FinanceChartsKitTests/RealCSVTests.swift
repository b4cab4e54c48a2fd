import FinanceChartsKit
import Foundation
import Testing

/// Files of the development data, unpacked with the system's gunzip; skipped where they are not there.
@Suite("Real files of candles")
struct RealCSVTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/data/ohlcv").path
    static let isThere = FileManager.default.fileExists(atPath: folder)

    @Test(
        "are read whole", .enabled(if: isThere, "no ../shared/data"),
        arguments: [
            ("bitfinex_btcusd_1min_2016", Timeframe.m1), ("coinbase_btcusd_1h_2017-2019", .h1),
            ("lean_binance_btcbusd_minute_2022-12-13", .m1), ("lean_coinbase_btcusd_daily_2014-2018", .d1),
            ("lean_coinbase_btcusd_second_2016-10-07", .s1), ("lean_equity_aapl_hour_1998-2021", .h1),
            ("spx_daily_1950-2012", .d1), ("yahoo_aapl_daily_2004-2018", .d1),
        ])
    func real(name: String, timeframe: Timeframe) throws {
        let text = try Self.unpack("\(Self.folder)/\(name).csv.gz")
        let lines = text.split(whereSeparator: { $0 == 10 || $0 == 13 }).count
        let file = try CandleCSV(bytes: text, name: "\(name).csv")
        #expect(file.timeframe == timeframe)
        // At most a header and a line of prose are no candles, and these files have no line twice.
        #expect((lines - 2...lines).contains(file.candles.count))
        #expect(file.candles.allSatisfy { $0.isWellFormed || $0.timestamp <= 0 })
    }

    private static func unpack(_ path: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gunzip", "-c", path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(data)
    }
}
