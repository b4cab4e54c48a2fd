internal import StreamCore

extension GuideAnswer {
    /// With what a tool makes.
    fileprivate init(_ text: String, tool: String, _ arguments: [String: JSONValue]) {
        self.init(text, calls: [ToolCall(name: tool, arguments: arguments)])
    }
}

extension Guide {
    /// Templates for the markets on screen; `nil` where the question is about something else.
    static func market(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer? {
        if question.has("alert", "alarm", "notify", "warn") { return alert(question, snapshot) }
        if question.has("watchlist", "watch-list") || question.has("watch") && question.has("list") {
            return watchlist(question, snapshot)
        }
        if question.has("buy", "sell", "long", "short", "order") { return order(question, snapshot) }
        if question.has("layout", "chart"), question.has("layout", "create", "make", "show", "open", "set") {
            return layout(question, snapshot)
        }
        return nil
    }

    private static func symbol(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> String? {
        question.symbols.first ?? snapshot.focus
    }

    private static let whichMarket = GuideAnswer("Which market? Name one that is in the list.")

    private static func alert(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        guard let symbol = symbol(question, snapshot) else { return whichMarket }
        guard let price = question.numbers.first else {
            return GuideAnswer("At which price? For example: \"alert \(symbol) above 70000\".")
        }
        let condition: String
        if question.has("above", "over", "rises", "higher", "beyond", "exceeds") {
            condition = "above"
        } else if question.has("below", "under", "falls", "lower", "drops") {
            condition = "below"
        } else {
            guard let quote = snapshot.quote(symbol), !snapshot.isStale(quote), let now = quote.price,
                let wanted = Double(price)
            else { return GuideAnswer("Above or below \(price)?") }
            condition = wanted >= now ? "above" : "below"
        }
        return GuideAnswer(
            "Here is an alert for \(symbol) \(condition) \(price). Open the card to switch it on.",
            tool: "create_alert",
            [
                "name": "\(symbol) \(condition) \(price)", "symbol": .string(symbol),
                "condition": .string(condition), "price": .string(price),
                "description": "Goes off when \(symbol) trades \(condition) \(price).",
            ])
    }

    private static func watchlist(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        var symbols = question.symbols
        if symbols.isEmpty { symbols = moving(snapshot).map(\.symbol) }
        guard !symbols.isEmpty else { return GuideAnswer("Which markets? Name those that are in the list.") }
        return GuideAnswer(
            "Here is a watchlist of \(symbols.joined(separator: ", ")).", tool: "create_watchlist",
            [
                "name": question.symbols.isEmpty ? "Movers" : "Watchlist",
                "description": .string(symbols.joined(separator: ", ")),
                "symbols": .array(symbols.map { .string($0) }),
            ])
    }

    private static func layout(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        guard let symbol = symbol(question, snapshot) else { return whichMarket }
        // `1M` is a month and `1m` a minute; the words are in lower case, so a month has words of its own.
        let known = ["1s", "5s", "15s", "1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d", "1w"]
        let timeframe =
            question.words.first(where: known.contains)
            ?? (question.has("month", "monthly") ? "1M" : snapshot.timeframe)
        let indicators = ["sma", "ema", "rsi", "macd", "bollinger", "vwap", "atr"].filter { question.has($0) }
        var arguments: [String: JSONValue] = [
            "name": "\(symbol) \(timeframe)", "symbol": .string(symbol), "timeframe": .string(timeframe),
            "description": "\(symbol) in candles of \(timeframe).",
        ]
        if !indicators.isEmpty { arguments["indicators"] = .array(indicators.map { .string($0) }) }
        return GuideAnswer(
            "Here is a chart layout for \(symbol), \(timeframe).", tool: "create_chart_layout", arguments)
    }

    /// Only proposed: it becomes a paper order when the user approves the card.
    private static func order(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        guard let symbol = symbol(question, snapshot) else { return whichMarket }
        let isSale = question.has("sell", "short")
        guard isSale != question.has("buy", "long") else {
            return GuideAnswer("Buy or sell \(symbol)? For example: \"buy 0.1 \(symbol)\".")
        }
        guard let quantity = question.numbers.first else {
            return GuideAnswer("How much of \(symbol)? For example: \"buy 0.1 \(symbol) at 65000\".")
        }
        let limit = question.has("at", "limit", "@") && question.numbers.count > 1 ? question.numbers[1] : nil
        guard let quote = snapshot.quote(symbol), limit != nil || !snapshot.isStale(quote) else {
            return GuideAnswer(
                "I propose no market order on a stale price. "
                    + (snapshot.quote(symbol).map(snapshot.sentence) ?? "\(symbol) has no price here."))
        }
        let side = isSale ? "sell" : "buy"
        var arguments: [String: JSONValue] = [
            "name": "\(side.capitalizedFirst) \(quantity) \(symbol)", "symbol": .string(symbol), "side": .string(side),
            "order_type": limit == nil ? "market" : "limit", "quantity": .string(quantity),
            "description": .string(snapshot.sentence(quote)),
        ]
        if let limit { arguments["limit_price"] = .string(limit) }
        return GuideAnswer(
            "I propose a paper order: \(side) \(quantity) \(symbol)\(limit.map { " at \($0)" } ?? " at the market"). "
                + "Nothing is traded unless you approve the card. \(snapshot.sentence(quote))",
            tool: "create_order_proposal", arguments)
    }

    // MARK: Health

    /// The source document's three kinds: plain, sensible starting points, and no advice of a physician.
    static func health(_ question: GuideQuestion) -> GuideAnswer? {
        if question.has("meal", "meals", "nutrition", "diet", "eat", "food", "recipe", "weight") { return meal }
        if question.has("workout", "exercise", "exercises", "training", "gym", "fitness", "muscle") { return workout }
        if question.has("wellness", "sleep", "stress", "relax", "relaxation", "meditation", "mood") { return wellness }
        return nil
    }

    private static let note = "It is a general starting point and no medical advice."

    private static let meal = GuideAnswer(
        "Here is a simple day of meals with plenty of protein and vegetables. \(note)", tool: "create_meal",
        [
            "name": "Balanced day", "description": "Three meals, about 1,800 kcal.",
            "meals": [
                ["name": "Breakfast", "items": ["Oats", "Yoghurt", "Berries"], "calories": 450],
                ["name": "Lunch", "items": ["Lentil salad", "Feta", "Wholegrain bread"], "calories": 650],
                ["name": "Dinner", "items": ["Baked fish or tofu", "Potatoes", "Broccoli"], "calories": 700],
            ],
        ])

    private static let workout = GuideAnswer(
        "Here is a workout of half an hour without equipment. \(note)", tool: "create_workout",
        [
            "name": "Half an hour, no equipment", "description": "Whole body, three times a week.",
            "exercises": [
                ["name": "Brisk walk or skipping", "minutes": 5], ["name": "Squats", "sets": 3, "reps": 12],
                ["name": "Push-ups", "sets": 3, "reps": 8], ["name": "Glute bridges", "sets": 3, "reps": 12],
                ["name": "Plank", "sets": 3, "seconds": 30],
            ],
        ])

    private static let wellness = GuideAnswer(
        "Here is an evening routine for better sleep. \(note)", tool: "create_wellness",
        [
            "name": "Quiet evening", "description": "One hour before bed.",
            "practices": [
                "No charts and no news for the last hour", "Ten minutes of slow breathing",
                "Write down tomorrow's first task", "Lights out at the same time",
            ],
        ])
}
