internal import MarketModel

/// The assistant without any model: it answers from the live state what can be looked up there, creates templates of every
/// kind, and says plainly what it is.
///
/// A pure function: the same question over the same snapshot gives the same answer. Every figure is cited with the time of
/// its tick, and one that is stale is not cited at all.
package enum Guide {
    /// Said in each conversation's first answer.
    package static let introduction =
        "I am Candlewire's built-in guide, not a language model: I look things up in the live data and make templates."

    /// - Parameters:
    ///   - snapshot: no more of the live state than the type's context.
    ///   - earlier: the user's messages before this one, oldest first.
    ///   - past: candles for a comparison: see `comparison`.
    ///   - isFirst: nothing was answered in the conversation before.
    package static func answer(
        _ text: String, in snapshot: MarketSnapshot, type: ConsultationType = ConsultationTypes.builtIn["markets"],
        earlier: [String] = [], past: [ComparedCandles] = [], isFirst: Bool = false
    ) -> GuideAnswer {
        var answer: GuideAnswer
        let request = GuideRequest(text, in: snapshot, type: type)
        if let notice = GuideLanguage.notice(GuideQuestion(text, in: snapshot)) {
            answer = GuideAnswer("\(notice)\n\n\(help(snapshot, type).text)")
        } else if let problem = request.problem {
            answer = GuideAnswer(problem)
        } else if request.parts.contains(where: { $0.topic.isPart(of: type) }) {
            answer = join(request.parts, snapshot, type, earlier + [text], past)
        } else if let topic = request.parts.first?.topic {
            answer = GuideAnswer(
                "This consultation is about \(type.title); I have no \(topic.name) in it. \(help(snapshot, type).text)")
        } else {
            answer = help(snapshot, type)
        }
        if isFirst, !answer.text.contains(introduction) { answer.text = "\(introduction)\n\n\(answer.text)" }
        return answer
    }

    /// The answers of all parts, and the names of those that have none.
    private static func join(
        _ parts: [GuideRequest.Part], _ snapshot: MarketSnapshot, _ type: ConsultationType, _ said: [String],
        _ past: [ComparedCandles]
    ) -> GuideAnswer {
        var (texts, calls, left): ([String], [ToolCall], [String]) = ([], [], [])
        let plans = Set(parts.filter { $0.topic.isPlan && $0.topic.isPart(of: type) }.map(\.topic.subject))
        for (index, part) in parts.enumerated() {
            guard index < GuideRequest.maxParts, part.topic.isPart(of: type) else {
                left.append(GuideRequest.quoted(part.question.text))
                continue
            }
            var snapshot = snapshot
            snapshot.focus = part.focus
            let answer = part.topic.make(
                .init(question: part.question, snapshot: snapshot, type: type, said: said, past: past))
            if !texts.contains(answer.text) { texts.append(answer.text) }
            calls += answer.calls
            if !part.topic.isPlan || !answer.calls.isEmpty { left += part.ignored(in: snapshot, plans: plans) }
        }
        let isUnread = said.contains { GuideLanguage.notice(GuideQuestion($0, in: snapshot)) != nil }
        if isUnread, parts.contains(where: \.topic.isPlan) {
            texts.append("I read English only, so what you stated in another language is not in it.")
        }
        if !left.isEmpty {
            let more = left.count > 5 ? " and \(left.count - 5) more" : ""
            texts.append(
                "I have done nothing about \(left.prefix(5).map { "“\($0)”" }.joined(separator: ", "))\(more).")
        }
        return GuideAnswer(texts.joined(separator: "\n\n"), calls: calls)
    }

    static func help(_ snapshot: MarketSnapshot, _ type: ConsultationType) -> GuideAnswer {
        let example = snapshot.focus ?? snapshot.quotes.first?.symbol ?? "BTC-USD"
        let lines = GuideTopic.all.filter { $0.isPart(of: type) }.map { topic in
            "- " + topic.examples.map { "\"\($0.replacing("{symbol}", with: example))\"" }.joined(separator: ", ")
        }
        guard !lines.isEmpty else {
            return GuideAnswer("\(introduction) There is nothing that I can do in this consultation.")
        }
        return GuideAnswer("\(introduction) I can answer:\n\n\(lines.joined(separator: "\n"))")
    }

    // MARK: Looking things up

    static func positions(_ snapshot: MarketSnapshot) -> GuideAnswer {
        guard let holdings = snapshot.holdings else { return GuideAnswer(MarketSnapshot.hiddenHoldings) }
        let lines = holdings.map { snapshot.sentence($0) }
        return GuideAnswer(lines.isEmpty ? "There are no open paper positions." : list(lines))
    }

    static func feeds(_ snapshot: MarketSnapshot) -> GuideAnswer {
        let stale = snapshot.quotes.filter { snapshot.isStale($0) && $0.tickTime != nil }
        let lines = snapshot.feeds.map(snapshot.sentence) + stale.map { snapshot.sentence($0) }
        return GuideAnswer(lines.isEmpty ? "No feed is configured." : list(lines))
    }

    static func indicators(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        let quotes = quotes(question, snapshot).filter { !$0.indicators.isEmpty }
        guard !quotes.isEmpty else { return GuideAnswer("No indicator is on the chart.") }
        let shown = quotes.flatMap(\.indicators).map { $0.name.lowercased() }
        let missing = question.words.filter { word in
            StudyKind(identifier: word) != nil && !shown.contains { $0.hasPrefix(word) }
        }
        let lines = quotes.map { "\($0.symbol): \(MarketSnapshot.readings($0))" }
        return GuideAnswer(
            list(lines + missing.map { "There is no \($0.uppercased()) on the chart." }))
    }

    static func prices(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        let quotes = quotes(question, snapshot)
        return GuideAnswer(
            quotes.isEmpty ? "Which market? Name one that is in the list." : list(quotes.map { snapshot.sentence($0) }))
    }

    /// Of the markets that are named, else of the one on screen.
    private static func quotes(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> [MarketSnapshot.Quote] {
        let named = question.symbols.isEmpty ? [snapshot.focus].compactMap { $0 } : question.symbols
        return named.compactMap(snapshot.quote)
    }

    /// Of those whose price is not stale and whose change is wanted, the five that changed most.
    static func moving(
        _ snapshot: MarketSnapshot, _ isWanted: (_ change: Double) -> Bool = { _ in true }
    ) -> [MarketSnapshot.Quote] {
        let fresh = snapshot.quotes.filter { quote in
            guard !snapshot.isStale(quote), quote.price != nil, let change = quote.changePercent24h else {
                return false
            }
            return change.isFinite && isWanted(change)
        }
        let sorted = fresh.sorted { a, b in
            let (x, y) = ((a.changePercent24h ?? 0).magnitude, (b.changePercent24h ?? 0).magnitude)
            return x == y ? a.symbol < b.symbol : x > y
        }
        return Array(sorted.prefix(5))
    }

    static func movers(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        let (gains, losses) = (question.has("gainer", "gainers"), question.has("loser", "losers"))
        let moving = moving(snapshot) { gains == losses || ($0 > 0) == gains && $0 != 0 }
        let none = gains == losses ? "has a fresh price" : "with a fresh price \(gains ? "rose" : "fell") in 24 hours"
        return GuideAnswer(moving.isEmpty ? "No market \(none)." : list(moving.map { snapshot.sentence($0) }))
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
