internal import MarketModel

extension Guide {
    /// Seconds of a comparison that names no period.
    static let defaultPeriod = 86_400.0
    static let maxCompared = 5

    /// What a question compares; `nil` where no part of it is a comparison of at least two markets.
    package static func comparison(
        _ text: String, _ snapshot: MarketSnapshot, type: ConsultationType = ConsultationTypes.builtIn["markets"]
    ) -> (symbols: [String], seconds: Double)? {
        let parts = GuideRequest(text, in: snapshot, type: type).parts
        guard let question = parts.first(where: { $0.topic.subject == .comparison })?.question else { return nil }
        let symbols = compared(question, snapshot)
        guard symbols.count >= 2, let seconds = period(question)?.seconds else { return nil }
        return (symbols, seconds)
    }

    /// A question that names one market compares it with the one on screen.
    private static func compared(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> [String] {
        var symbols = Array(question.symbols.prefix(maxCompared))
        if symbols.count == 1, let focus = snapshot.focus, focus != symbols[0] { symbols.append(focus) }
        return symbols
    }

    private static let units: [(names: Set<String>, seconds: Double, name: String)] = [
        (["minute", "minutes", "min"], 60, "minutes"), (["hour", "hours", "h"], 3_600, "hours"),
        (["day", "days"], 86_400, "days"), (["week", "weeks"], 604_800, "weeks"),
        (["month", "months"], 2_592_000, "months of 30 days"), (["year", "years"], 31_536_000, "years"),
    ]
    static let periodWords = units.reduce(into: Set(["today"])) { $0.formUnion($1.names) }

    /// - Returns: `nil` for a period that is too long or too short to compare.
    static func period(_ question: GuideQuestion) -> (seconds: Double, name: String)? {
        var count: Double?
        for piece in question.pieces {
            switch piece.content {
            case .number(let number, _): count = Double(number)
            case .word(let word):
                // `24h`, `7d`.
                let digits = word.prefix { $0.isASCII && $0.isNumber }
                let letter = word.dropFirst(digits.count)
                if !digits.isEmpty, let short = ["h": 3_600.0, "d": 86_400, "w": 604_800][String(letter)] {
                    return bounded((Double(digits) ?? 0) * short, "the last \(word)")
                }
                if word == "today" { return (86_400, "the last 24 hours") }
                if let unit = units.first(where: { $0.names.contains(word) }) {
                    let name =
                        count.map { "\(MarketSnapshot.fixed($0, 0)) \(unit.name)" }
                        ?? String(unit.name.prefix { $0 != " " }.dropLast())
                    return bounded((count ?? 1) * unit.seconds, "the last \(name)")
                }
            default: count = nil
            }
        }
        return (defaultPeriod, "the last 24 hours")
    }

    private static func bounded(_ seconds: Double, _ name: String) -> (seconds: Double, name: String)? {
        600...63_072_000 ~= seconds ? (seconds, name) : nil
    }

    /// Compares markets over the part of the period for which there is data of each.
    static func compare(_ question: GuideQuestion, _ snapshot: MarketSnapshot, _ past: [ComparedCandles]) -> GuideAnswer
    {
        guard let period = period(question) else {
            return GuideAnswer("I compare periods from 10 minutes to 2 years, for example \"over the last 7 days\".")
        }
        guard compared(question, snapshot).count >= 2 else {
            return GuideAnswer("Which markets? Name two to \(maxCompared) of those that are in the list.")
        }
        var start = past.compactMap { $0.candles.first?.timestamp }.max() ?? 0
        start = max(start, snapshot.time - period.seconds)
        let figures = past.compactMap { market in
            PeriodFigures(market.symbol, market.candles.filter { $0.timestamp >= start })
        }
        let known = Set(figures.map(\.symbol))
        let missing = compared(question, snapshot).filter { !known.contains($0) }
        let sorted = figures.sorted { $0.change > $1.change }
        guard let first = sorted.first, let last = sorted.last, sorted.count >= 2 else {
            return GuideAnswer(
                "There are not enough candles of \(missing.joined(separator: ", ")) over \(period.name) to compare.")
        }
        var lines = sorted.map { line($0, snapshot.quote($0.symbol)?.precision ?? 2) }
        lines.append(verdict(first, last, sorted.count))
        if !missing.isEmpty {
            lines.append("There are not enough candles of \(missing.joined(separator: ", ")) to compare.")
        }
        // A candle may begin before the period does.
        if start > snapshot.time - period.seconds * 0.9 {
            lines.append("The data begins at \(RFC3339.text(start)), so the comparison does too.")
        }
        if question.has("why") {
            lines.append("That is what the prices show; I have no news that could say what moved them.")
        }
        return GuideAnswer(
            "Over \(period.name), to \(RFC3339.text(snapshot.time)):\n\n\(lines.joined(separator: "\n"))")
    }

    private static func line(_ figures: PeriodFigures, _ precision: Int) -> String {
        func fixed(_ value: Double) -> String { MarketSnapshot.grouped(MarketSnapshot.fixed(value, 2)) }
        func price(_ value: Double) -> String { MarketSnapshot.grouped(MarketSnapshot.fixed(value, precision)) }
        return "- \(figures.symbol) \(moved(figures.change)), range \(price(figures.low)) to \(price(figures.high)), "
            + "volatility \(fixed(figures.volatility)) %, deepest fall \(fixed(figures.drawdown)) %."
    }

    private static func moved(_ change: Double) -> String {
        "\(change < 0 ? "fell" : "rose") \(MarketSnapshot.fixed(change.magnitude, 2)) %"
    }

    private static func verdict(_ first: PeriodFigures, _ last: PeriodFigures, _ count: Int) -> String {
        let lead = first.change - last.change
        guard lead >= 0.005 else { return "\nNone was stronger: their changes are equal to two decimals." }
        var text =
            "\n**\(first.symbol) was \(count > 2 ? "the strongest" : "stronger")**: it \(moved(first.change)), \(last.symbol) "
            + "\(moved(last.change)), a lead of \(MarketSnapshot.fixed(lead, 2)) points. "
        text +=
            "Its \(first.change < 0 ? "largest fall" : "largest gain") between two closes came with the candle of "
            + "\(RFC3339.text(first.strongest.time)) (\(MarketSnapshot.fixed(first.strongest.change, 2)) %). "
        let isCalmer = first.volatility < last.volatility
        text += "It moved \(isCalmer ? "less" : "more") than \(last.symbol): volatility "
        text += "\(MarketSnapshot.fixed(first.volatility, 2)) % against \(MarketSnapshot.fixed(last.volatility, 2)) %."
        return text
    }
}
