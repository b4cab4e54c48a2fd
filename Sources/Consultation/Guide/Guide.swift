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
        let question = GuideQuestion(text, in: snapshot)
        var answer: GuideAnswer
        if let notice = GuideLanguage.notice(question.words, text) {
            answer = GuideAnswer("\(notice)\n\n\(help(snapshot, type).text)")
        } else {
            let topics = GuideTopic.all.filter { $0.matches(question) }
            if let topic = topics.first(where: { $0.isPart(of: type) }) {
                answer = topic.answer(question, snapshot, type, earlier + [text], past)
            } else if let topic = topics.first {
                answer = GuideAnswer(
                    "This consultation is about \(type.title); I have no \(topic.name) in it. \(help(snapshot, type).text)"
                )
            } else {
                answer = help(snapshot, type)
            }
        }
        if isFirst, !answer.text.contains(introduction) { answer.text = "\(introduction)\n\n\(answer.text)" }
        return answer
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
        let lines = holdings.map(snapshot.sentence)
        return GuideAnswer(lines.isEmpty ? "There are no open paper positions." : list(lines))
    }

    static func feeds(_ snapshot: MarketSnapshot) -> GuideAnswer {
        let stale = snapshot.quotes.filter { snapshot.isStale($0) && $0.tickTime != nil }
        let lines = snapshot.feeds.map(snapshot.sentence) + stale.map(snapshot.sentence)
        return GuideAnswer(lines.isEmpty ? "No feed is configured." : list(lines))
    }

    static func indicators(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        let lines = quotes(question, snapshot).filter { !$0.indicators.isEmpty }
            .map { "\($0.symbol): \(MarketSnapshot.readings($0))" }
        return GuideAnswer(lines.isEmpty ? "No indicator is on the chart." : list(lines))
    }

    static func prices(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> GuideAnswer {
        let quotes = quotes(question, snapshot)
        return GuideAnswer(
            quotes.isEmpty ? "Which market? Name one that is in the list." : list(quotes.map(snapshot.sentence)))
    }

    /// Of the markets that are named, else of the one on screen.
    private static func quotes(_ question: GuideQuestion, _ snapshot: MarketSnapshot) -> [MarketSnapshot.Quote] {
        let named = question.symbols.isEmpty ? [snapshot.focus].compactMap { $0 } : question.symbols
        return named.compactMap(snapshot.quote)
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

    static func movers(_ snapshot: MarketSnapshot) -> GuideAnswer {
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
