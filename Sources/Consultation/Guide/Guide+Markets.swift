internal import MarketModel
internal import StreamCore

extension GuideAnswer {
    /// With what a tool makes.
    init(_ text: String, tool: String, _ arguments: [String: JSONValue]) {
        self.init(text, calls: [ToolCall(name: tool, arguments: arguments)])
    }
}

extension Guide {
    private static func symbol(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> String? {
        question.symbols.first ?? snapshot.focus
    }

    static let whichMarket = GuideAnswer("Which market? Name one that is in the list.")

    /// One card for each price: a card has one condition.
    static func alert(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        guard let symbol = symbol(question, snapshot) else { return whichMarket }
        guard question.symbols.count <= 1 else {
            return GuideAnswer(
                "An alert is for one market; you name \(question.symbols.joined(separator: ", ")). Name one.")
        }
        let quote = snapshot.quote(symbol)
        let now = quote.flatMap { snapshot.isStale($0) ? nil : $0.price }
        var alerts: [(condition: OrderSentence.Direction, price: String)] = []
        var condition: OrderSentence.Direction?
        let unknown = question.unknown(alertWords.union(conditions.keys))
        // A denial or a number with a word behind it could be anything but an alert at that price.
        let unclear = unknown.filter { part in
            part.split(separator: " ").contains { denials.contains(String($0)) }
        }
        guard unclear.isEmpty else {
            return GuideAnswer("I create no alert, because I do not understand \(quoted(unclear)).")
        }
        for (index, piece) in question.pieces.enumerated() {
            switch piece.content {
            case .word(let word): condition = conditions[word] ?? condition
            case .number(let price, _):
                if index + 1 < question.pieces.count, let next = question.pieces[index + 1].word,
                    unknown.contains(where: { $0.hasPrefix(next) })
                {
                    return GuideAnswer(
                        "I create no alert, because I do not understand \(quoted(["\(piece.text) \(next)"])).")
                }
                guard
                    let condition = condition
                        ?? now.flatMap({ now in Double(price).map { $0 >= now ? .up : .down } })
                else { return GuideAnswer("Above or below \(MarketSnapshot.grouped(price))?") }
                alerts.append((condition, price))
            case .percent(let percent):
                guard let now, let quote, let part = Double(percent) else {
                    return GuideAnswer(
                        "\(piece.text) of what? \(quote.map { snapshot.sentence($0) } ?? "\(symbol) has no price here.")"
                    )
                }
                guard let condition else { return GuideAnswer("\(piece.text) above or below the present price?") }
                let price = now * (1 + (condition == .up ? part : -part) / 100)
                guard price > 0 else { return GuideAnswer("The price of an alert must be above 0.") }
                alerts.append((condition, MarketSnapshot.fixed(price, quote.precision)))
            case .symbol: break
            }
        }
        guard !alerts.isEmpty else {
            return GuideAnswer("At which price? For example: \"alert \(symbol) above 70000\".")
        }
        guard alerts.count <= maxAlerts else {
            return GuideAnswer("I create up to \(maxAlerts) alerts at once; you name \(alerts.count) prices.")
        }
        let words = alerts.map { "\(symbol) \($0.condition.rawValue) \(MarketSnapshot.grouped($0.price))" }
        var answer = GuideAnswer(
            (alerts.count == 1
                ? "Here is an alert for \(words[0]). Open the card to switch it on."
                : "Here are alerts for \(words.joined(separator: ", ")). Open each card to switch it on.")
                + without(unknown, "An alert has a market, a direction and a price"))
        answer.calls = zip(alerts, words).map { alert, words in
            ToolCall(
                name: "create_alert",
                arguments: [
                    "name": .string(words), "symbol": .string(symbol), "condition": .string(alert.condition.rawValue),
                    "price": .string(alert.price),
                    "description":
                        "Goes off when \(words.replacing(symbol, with: "\(symbol) trades", maxReplacements: 1)).",
                ])
        }
        return answer
    }

    private static let maxAlerts = 5

    private static let conditions = OrderSentence.directions.merging(OrderSentence.sides) { direction, _ in direction }

    private static let denials: Set<String> = ["don't", "except", "never", "no", "not", "unless", "without"]

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    private static let alertWords = words(
        """
        alarm alert alerts as back breaks by crosses current ever from gets goes hits if is level market moves notify once \
        or passes present price reaches soon than touches trades warn when
        """)
    private static let layoutWords = words(
        "add candle candles chart indicator indicators layout month monthly open show study timeframe view")
    private static let watchlistWords = words(
        "biggest containing gainer gainers list loser losers market markets mover movers moving watch watch-list watchlist"
    )

    private static func quoted(_ parts: [String]) -> String {
        parts.prefix(5).map { "“\(GuideRequest.quoted($0))”" }.joined(separator: ", ")
    }

    /// Names what a card cannot have.
    private static func without(_ unknown: [String], _ card: String) -> String {
        unknown.isEmpty ? "" : " \(card), so this is without \(quoted(unknown))."
    }

    static func watchlist(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        var symbols = question.symbols
        if symbols.isEmpty { symbols = moving(snapshot).map(\.symbol) }
        guard !symbols.isEmpty else { return GuideAnswer("Which markets? Name those that are in the list.") }
        return GuideAnswer(
            "Here is a watchlist of \(symbols.joined(separator: ", "))."
                + without(question.unknown(watchlistWords), "A watchlist has markets that are in the list"),
            tool: "create_watchlist",
            [
                "name": question.symbols.isEmpty ? "Movers" : "Watchlist",
                "description": .string(symbols.joined(separator: ", ")),
                "symbols": .array(symbols.map { .string($0) }),
            ])
    }

    static func layout(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        guard let symbol = symbol(question, snapshot) else { return whichMarket }
        // `1M` is a month and `1m` a minute; the words are in lower case, so a month has words of its own.
        let known = ["1s", "5s", "15s", "1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d", "1w"]
        let timeframe =
            question.words.first(where: known.contains)
            ?? (question.has("month", "monthly") ? "1M" : snapshot.timeframe)
        let indicators = question.words.filter { StudyKind(identifier: $0) != nil }
        var arguments: [String: JSONValue] = [
            "name": "\(symbol) \(timeframe)", "symbol": .string(symbol), "timeframe": .string(timeframe),
            "description": "\(symbol) in candles of \(timeframe).",
        ]
        if !indicators.isEmpty { arguments["indicators"] = .array(indicators.map { .string($0) }) }
        var text = "Here is a chart layout for \(symbol), \(timeframe)."
        let others = question.symbols.dropFirst()
        if !others.isEmpty { text += " A layout has one market, so it is without \(others.joined(separator: ", "))." }
        let unknown = question.unknown(layoutWords.union(known).union(indicators), amounts: true)
        text += without(unknown, "A layout has a market, a timeframe and indicators")
        return GuideAnswer(text, tool: "create_chart_layout", arguments)
    }
}
