import Foundation
import Testing

@testable import MarketFeeds

/// A real session among the recordings beside the repository, and what was counted in it by other means.
struct SharedRecording: CustomTestStringConvertible {
    var name: String
    var venue: Venue
    var messages: Int
    /// Those of its own time, and those with which a subscription began.
    var trades: Int
    var markets: Int

    var testDescription: String { name }

    var path: String {
        let packed = SharedData.recording(name)
        return FileManager.default.fileExists(atPath: packed) ? packed : String(packed.dropLast(".gz".count))
    }

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    static let all = [
        SharedRecording(
            name: "binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04", venue: .binance, messages: 4716, trades: 1910,
            markets: 3),
        SharedRecording(
            name: "binance_spot_btcusdt_2024-08-08", venue: .binance, messages: 41_248, trades: 9757, markets: 1),
        SharedRecording(
            name: "binance_spot_btcusdt_2024-08-09", venue: .binance, messages: 58_325, trades: 10_147, markets: 1),
        SharedRecording(name: "binance_us_4symbols_2021-08-14", venue: .binance, messages: 608, trades: 3, markets: 2),
        SharedRecording(
            name: "binance_usdm-futures_btcusdt_2024-08-08", venue: .binance, messages: 93_953, trades: 21_313,
            markets: 1),
        SharedRecording(name: "bitfinex_v2_2021-04-17", venue: .bitfinex, messages: 1693, trades: 210, markets: 7),
        SharedRecording(name: "bitstamp_2022-01-05", venue: .bitstamp, messages: 747, trades: 10, markets: 1),
        SharedRecording(name: "bybit_v5_linear_2025-06-13", venue: .bybit, messages: 202, trades: 0, markets: 0),
        SharedRecording(name: "bybit_v5_spot_2025-06-13", venue: .bybit, messages: 145, trades: 0, markets: 0),
        SharedRecording(
            name: "coinbase_advanced-trade_btcusd-ethusd_2026-08-09", venue: .coinbaseAdvanced, messages: 1030,
            trades: 279, markets: 2),
        SharedRecording(
            name: "coinbase_exchange_ws-feed_6products_2021-04-17", venue: .coinbase, messages: 5665, trades: 65,
            markets: 4),
        SharedRecording(name: "gemini_v2_2021-06-24", venue: .gemini, messages: 678, trades: 516, markets: 10),
        SharedRecording(
            name: "kraken_v1_book1000_10pairs_2021-04-17", venue: .krakenArrays, messages: 4321, trades: 0, markets: 0),
        SharedRecording(
            name: "kraken_v1_ticker_10pairs_2021-04-17", venue: .krakenArrays, messages: 60, trades: 0, markets: 0),
        SharedRecording(
            name: "kraken_v1_trade_10pairs_2021-04-17", venue: .krakenArrays, messages: 49, trades: 10, markets: 2),
        SharedRecording(
            name: "kraken_v2_book10_btcusd_2026-07-19", venue: .kraken, messages: 1376, trades: 0, markets: 0),
        SharedRecording(
            name: "kraken_v2_trade_btcusd-ethusd_2026-09-26", venue: .kraken, messages: 12, trades: 102, markets: 2),
    ]
}
