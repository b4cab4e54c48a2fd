/// A session without a recording: a minute of a provider's messages, made of its shape. Each minute of it is like the one
/// before, so that it can be played in a loop.
extension RecordedSession {
    /// A minute in which the session begins: 2024-11-20, 19:13 UTC.
    private static let start: Int64 = 1_732_129_980_000_000_000

    /// - Parameter symbols: each trades twice a second around a price of its own. A provider with candles sends them
    ///   every five seconds, in the timeframes that were requested: `ProviderRules` replaces the message here with them.
    package static func made(_ provider: SimulatedProvider, symbols: [String]) -> RecordedSession {
        let messages = ProviderMessages(provider: provider)
        var lines: [String] = []
        var times: [Int64] = []
        func add(_ line: String, _ time: Int64) {
            lines.append(line)
            times.append(time)
        }
        for tick in 0..<120 {
            let time = start + Int64(tick) * 500_000_000
            for (number, symbol) in symbols.enumerated() {
                let price = VenueJSON.number(decimal(cents: cents(number, tick)))
                var values: [String: VenueJSON] = [
                    "symbol": .string(symbol), "timestamp": ProviderMessages.written(time, provider.unit),
                ]
                if let sort = provider.sorts["tick"] {
                    values["price"] = price
                    values["volume"] = .number("0.5")
                    values["side"] = .string(tick % 3 == 0 ? provider.sell : provider.buy)
                    values["id"] = .number("\(1_000_000 * (number + 1) + tick)")
                    add(messages.message(sort, [values]), time)
                }
                if let sort = provider.sorts["candle"], tick % 10 == 9 {
                    values["close"] = price
                    values["volume"] = .number("5")
                    add(messages.message(sort, [values]), time + 400_000_000)
                }
            }
        }
        var session = RecordedSession(lines: lines, times: times)
        session.isMade = true
        return session
    }

    /// Cents around a hundred, two hundred and so on.
    private static func cents(_ number: Int, _ tick: Int) -> Int {
        let wave = tick < 60 ? tick : 120 - tick
        return 10_000 * (number + 1) + wave * 3 - (tick % 7) * 4
    }
}

/// `123.05`
func decimal(cents: Int) -> String { "\(cents / 100).\("\(100 + cents % 100)".dropFirst())" }
