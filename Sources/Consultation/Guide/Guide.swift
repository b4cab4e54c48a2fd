/// The assistant without any model: it answers from the live state what can be looked up there, creates templates of every
/// kind, and says plainly what it is.
///
/// A pure function: the same question over the same snapshot gives the same answer. Every figure is cited with the time of
/// its tick, and one that is stale is not cited at all.
package enum Guide {
    /// Said in each conversation's first answer.
    package static let introduction =
        "I am Candlewire's built-in guide, not a language model: I look things up in the live data and make templates."

    /// - Parameter isFirst: nothing was answered in the conversation before.
    package static func answer(_ text: String, in snapshot: MarketSnapshot, isFirst: Bool = false) -> GuideAnswer {
        let question = GuideQuestion(text, in: snapshot)
        var answer = market(question, snapshot) ?? health(question) ?? look(question, snapshot) ?? help(snapshot)
        if isFirst, !answer.text.hasPrefix(introduction) { answer.text = "\(introduction)\n\n\(answer.text)" }
        return answer
    }

    static func help(_ snapshot: MarketSnapshot) -> GuideAnswer {
        let example = snapshot.focus ?? snapshot.quotes.first?.symbol ?? "BTC-USD"
        return GuideAnswer(
            """
            \(introduction) I can answer:

            - "price of \(example)", "biggest movers", "indicators", "my positions", "are the feeds healthy?"
            - "alert \(example) above 70000", "watchlist of the movers", "chart layout \(example) 5m", "buy 0.1 \(example)" \
            (a paper order, proposed only)
            - "meal plan", "workout", "wellness routine"
            """)
    }

    // MARK: Looking things up

    private static func look(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer? {
        if question.has("position", "positions", "portfolio", "holdings", "profit", "pnl", "loss") {
            guard let holdings = snapshot.holdings else { return GuideAnswer(MarketSnapshot.hiddenHoldings) }
            let lines = holdings.map(snapshot.sentence)
            return GuideAnswer(lines.isEmpty ? "There are no open paper positions." : list(lines))
        }
        if question.has(
            "feed", "feeds", "connection", "connected", "stale", "delay", "delayed", "health", "healthy", "live")
        {
            let stale = snapshot.quotes.filter { snapshot.isStale($0) && $0.tickTime != nil }
            let lines = snapshot.feeds.map(snapshot.sentence) + stale.map(snapshot.sentence)
            return GuideAnswer(lines.isEmpty ? "No feed is configured." : list(lines))
        }
        if question.has(
            "mover", "movers", "gainer", "gainers", "loser", "losers", "biggest", "moving", "market", "markets")
        {
            return movers(snapshot)
        }
        let named = question.symbols.isEmpty ? [snapshot.focus].compactMap { $0 } : question.symbols
        let quotes = named.compactMap(snapshot.quote)
        if question.has("indicator", "indicators", "rsi", "sma", "ema", "macd", "bollinger", "atr", "vwap") {
            let lines = quotes.filter { !$0.indicators.isEmpty }.map { "\($0.symbol): \(MarketSnapshot.readings($0))" }
            return GuideAnswer(lines.isEmpty ? "No indicator is on the chart." : list(lines))
        }
        guard
            !question.symbols.isEmpty
                || question.has("price", "prices", "quote", "cost", "worth", "high", "low", "change")
        else { return nil }
        return GuideAnswer(
            quotes.isEmpty ? "Which market? Name one that is in the list." : list(quotes.map(snapshot.sentence)))
    }

    /// Of those whose price is not stale, the five that changed most.
    static func moving(_ snapshot: MarketSnapshot) -> [MarketSnapshot.Quote] {
        let fresh = snapshot.quotes.filter {
            !snapshot.isStale($0) && $0.price != nil && $0.changePercent24h?.isFinite == true
        }
        let sorted = fresh.sorted { a, b in
            let (x, y) = ((a.changePercent24h ?? 0).magnitude, (b.changePercent24h ?? 0).magnitude)
            return x == y ? a.symbol < b.symbol : x > y
        }
        return Array(sorted.prefix(5))
    }

    private static func movers(_ snapshot: MarketSnapshot) -> GuideAnswer {
        let moving = moving(snapshot)
        return GuideAnswer(moving.isEmpty ? "No market has a fresh price." : list(moving.map(snapshot.sentence)))
    }

    private static func list(_ lines: [String]) -> String {
        lines.count == 1 ? lines[0] : lines.map { "- \($0)" }.joined(separator: "\n")
    }
}

/// What the guide says, and what it makes.
package struct GuideAnswer: Sendable, Hashable {
    package var text: String
    package var calls: [ToolCall]

    package init(_ text: String, calls: [ToolCall] = []) {
        self.text = text
        self.calls = calls
    }
}

/// The guide as a model: the default where none is configured.
public struct GuideModel: LanguageModel {
    private let snapshot: @Sendable (AnswerRequest) async -> MarketSnapshot

    /// - Parameter snapshot: the live state as the user of the request may see it.
    public init(snapshot: @escaping @Sendable (AnswerRequest) async -> MarketSnapshot) { self.snapshot = snapshot }

    public var name: String { "Candlewire guide" }

    public func answer(_ request: AnswerRequest) -> AsyncStream<ModelEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ModelEvent.self)
        let task = Task { [snapshot] in
            let answer = Guide.answer(
                request.messages.last { $0.role == .user }?.text ?? "", in: await snapshot(request),
                isFirst: !request.messages.contains { $0.role == .assistant })
            for event in Self.events(answer) { continuation.yield(event) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// The answer word by word, then what it makes.
    static func events(_ answer: GuideAnswer) -> [ModelEvent] {
        WordPieces.split(answer.text).map { .text($0) } + answer.calls.map { .toolCall($0) } + [.end(ModelUsage())]
    }
}

/// A text in words, each with the white space that follows it: joined they are the text.
enum WordPieces {
    static func split(_ text: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for character in text {
            if let last = piece.last, last.isWhitespace, !character.isWhitespace {
                pieces.append(piece)
                piece = ""
            }
            piece.append(character)
        }
        if !piece.isEmpty { pieces.append(piece) }
        return pieces
    }
}
