/// A session without a recording: a minute of a provider's messages, made of its shape. Each minute of it is like the one
/// before, so that it can be played in a loop.
extension RecordedSession {
    /// A minute in which the session begins: 2024-11-20, 19:13 UTC.
    private static let start: Int64 = 1_732_129_980_000_000_000

    /// - Parameter symbols: each trades twice a second around a price of its own.
    package static func made(_ provider: SimulatedProvider, symbols: [String]) -> RecordedSession {
        let messages = ProviderMessages(provider: provider)
        var lines: [String] = []
        var times: [Int64] = []
        func add(_ line: String, _ time: Int64) {
            lines.append(line)
            times.append(time)
        }
        if let snapshot = provider.sorts["snapshot"] {
            for (number, symbol) in symbols.enumerated() {
                let rows = (1...10).map { minute in
                    candle(provider, symbol, number, upTo: 120, start: start - Int64(11 - minute) * 60_000_000_000)
                }
                add(messages.message(snapshot, rows), start)
            }
        }
        for tick in 0..<120 {
            let time = start + Int64(tick) * 500_000_000
            for (number, symbol) in symbols.enumerated() {
                if let sort = provider.sorts["tick"] {
                    let values: [String: VenueJSON] = [
                        "symbol": .string(symbol), "timestamp": ProviderMessages.written(time, provider.unit),
                        "price": .number(decimal(cents: cents(number, tick))), "volume": .number("0.5"),
                        "side": .string(tick % 3 == 0 ? provider.sell : provider.buy),
                        "id": .number("\(1_000_000 * (number + 1) + tick)"),
                    ]
                    add(messages.message(sort, [values]), time)
                }
                if let sort = provider.sorts["candle"], tick % 10 == 9 {
                    var values = candle(provider, symbol, number, upTo: tick + 1, start: start)
                    values["final"] = .bool(tick == 119)
                    add(messages.message(sort, [values]), time + 400_000_000)
                }
            }
        }
        return RecordedSession(lines: lines, times: times)
    }

    /// Cents around a hundred, two hundred and so on.
    private static func cents(_ number: Int, _ tick: Int) -> Int {
        let wave = tick < 60 ? tick : 120 - tick
        return 10_000 * (number + 1) + wave * 3 - (tick % 7) * 4
    }

    private static func candle(
        _ provider: SimulatedProvider, _ symbol: String, _ number: Int, upTo end: Int, start: Int64
    ) -> [String: VenueJSON] {
        let prices = (0..<end).map { cents(number, $0) }
        let name = provider.timeframes.first { $0.value == provider.timeframe }?.key ?? ""
        return [
            "symbol": .string(symbol), "timestamp": ProviderMessages.written(start, provider.unit),
            "open": .number(decimal(cents: prices[0])), "high": .number(decimal(cents: prices.max() ?? 0)),
            "low": .number(decimal(cents: prices.min() ?? 0)), "close": .number(decimal(cents: prices[end - 1])),
            "volume": .number("\(end / 2).\(end % 2 == 0 ? "0" : "5")"), "timeframe": .string(name),
        ]
    }
}

/// `123.05`
func decimal(cents: Int) -> String { "\(cents / 100).\("\(100 + cents % 100)".dropFirst())" }
