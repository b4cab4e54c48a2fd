/// A message to the guide in its requests: clauses with a topic each, and the clauses that belong to them.
struct GuideRequest {
    struct Part {
        let topic: GuideTopic
        var question: GuideQuestion
        /// For what the part itself does not name.
        var focus: String?
        /// Clauses without a topic of their own, the part's first one excepted.
        var loose: [GuideQuestion] = []
        /// Where it begins and ends among the clauses.
        fileprivate var clauses: Range<Int>
    }

    static let maxParts = 5
    private static let maxClauses = 30

    private(set) var parts: [Part] = []
    /// Why the requests cannot be separated safely, for people.
    private(set) var problem: String?

    private let text: String
    private let clauses: [Substring]
    private let snapshot: MarketSnapshot
    private let type: ConsultationType

    init(_ text: String, in snapshot: MarketSnapshot, type: ConsultationType) {
        self.text = String(text.prefix(2_000))
        (self.snapshot, self.type) = (snapshot, type)
        clauses = Self.clauses(self.text)
        for index in clauses.indices { read(index) }
        let whole = GuideQuestion(self.text, in: snapshot)
        if parts.isEmpty,
            let topic = topic(whole, isWeak: true) ?? GuideTopic.all.first(where: { $0.isNamed(by: whole) })
        {
            parts = [part(topic, 0..<clauses.count)]
        }
        for index in parts.indices {
            parts[index].question = GuideQuestion(span(parts[index].clauses), in: snapshot)
        }
        addLookups()
        nameMarkets()
        checkOrders()
    }

    /// Cut at "and", "then" and punctuation, without those.
    private static func clauses(_ text: String) -> [Substring] {
        var (clauses, start, end): ([Substring], String.Index?, String.Index) = ([], nil, text.startIndex)
        func close() {
            if let begin = start { clauses.append(text[begin..<end]) }
            start = nil
        }
        for word in text.split(whereSeparator: \.isWhitespace) {
            if clauses.count < maxClauses - 1 {
                if separators.contains(word.lowercased().trimmingEdges(of: ",.;:")[...]) {
                    close()
                    continue
                }
            }
            if start == nil { start = word.startIndex }
            end = word.endIndex
            if clauses.count < maxClauses - 1, let last = word.last, ",.;?!".contains(last) { close() }
        }
        close()
        return clauses
    }

    private static let separators: Set<Substring> = ["&", "also", "and", "plus", "then"]
    private static let conditions: Set<String> = ["after", "before", "if", "once", "unless", "until", "when"]
    private static let holdings: Set<String> = ["holdings", "pnl", "portfolio", "position", "positions"]
    private static let movers: Set<String> = ["biggest", "gainers", "losers", "movers"]
    private static let sides: Set<String> = ["buy", "long", "sell", "short"]
    static let lookingUp: Set<String> = [
        "are", "give", "how", "how's", "is", "price", "prices", "quote", "show", "tell", "what", "what's", "which",
    ]

    // MARK: Clauses

    private mutating func read(_ index: Int) {
        let question = GuideQuestion(String(clauses[index]), in: snapshot)
        let isCondition = Self.conditions.contains(question.words.first ?? "")
        guard let last = parts.indices.last else {
            guard !isCondition, let topic = topic(question) else { return }
            let before = GuideQuestion(span(0..<index), in: snapshot)
            if !before.symbols.isEmpty, !topic.readsMarkets, let weak = self.topic(before, isWeak: true) {
                parts = [part(weak, 0..<index), part(topic, index..<index + 1)]
            } else {
                parts = [part(topic, 0..<index + 1)]
                parts[0].loose = (0..<index).map { GuideQuestion(String(clauses[$0]), in: snapshot) }
            }
            return
        }
        let current = parts[last]
        let orders = parts.filter { $0.topic.subject == .order }.map { span($0.clauses) }
        if question.hasLeg, !question.has(Self.sides), !orders.isEmpty, current.topic.subject != .order {
            separate(orders + [span(index..<index + 1)])
        }
        let found = isCondition ? nil : topic(question, isWeak: !current.topic.readsMarkets)
        guard let found, !isPart(question, found, of: current) else {
            if found == nil { parts[last].loose.append(question) }
            parts[last].clauses = current.clauses.lowerBound..<index + 1
            parts[last].question = GuideQuestion(span(parts[last].clauses), in: snapshot)
            return
        }
        if found.isCard, current.clauses.count > 1,
            let word = GuideQuestion(span(index - 1..<index), in: snapshot).words.first,
            Self.conditions.contains(word)
        {
            separate([span(current.clauses), span(index..<index + 1)])
        }
        parts.append(part(found, index..<index + 1))
    }

    private func part(_ topic: GuideTopic, _ clauses: Range<Int>) -> Part {
        Part(
            topic: topic, question: GuideQuestion(span(clauses), in: snapshot), focus: snapshot.focus, clauses: clauses)
    }

    /// As it was written.
    private func span(_ range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last else { return "" }
        let whole = text[clauses[first].startIndex..<clauses[last].endIndex]
        return whole.lastIndex { !",.;?!".contains($0) }.map { String(whole[...$0]) } ?? ""
    }

    /// - Parameter isWeak: a market's name is enough.
    /// - Returns: a topic of the consultation's type, if there is one.
    private func topic(_ question: GuideQuestion, isWeak: Bool = false) -> GuideTopic? {
        let topics = GuideTopic.all.filter { topic in
            guard topic.matches(question) else { return topic.subject == .order && question.hasLeg }
            return isWeak || topic.subject != .prices || question.has(topic.words) || question.has(Self.lookingUp)
        }
        if let own = topics.first(where: { $0.isPart(of: type) }) { return own }
        // "live" and "high" are also words about food.
        return StatedFacts([question.text]) == StatedFacts([]) ? topics.first { $0.isNamed(by: question) } : nil
    }

    /// Whether a clause with a topic is no request of its own.
    private func isPart(_ question: GuideQuestion, _ topic: GuideTopic, of part: Part) -> Bool {
        let isQuestion = question.has(Self.lookingUp)
        switch (part.topic.subject, topic.subject) {
        case (.order, .order): return !question.has(Self.sides) || !part.question.has(Self.sides)
        case (.order, .positions): return !question.has(Self.holdings)
        case (.alert, .movers), (.alert, .prices), (.order, .movers), (.order, .prices):
            return question.hasAmount || part.topic.subject == .order && !isQuestion && !question.has(Self.movers)
        case (.layout, .indicators): return !question.has(Self.lookingUp.subtracting(["give", "show"]))
        case (.alert, .alert): return !part.question.hasAmount
        case (.layout, .layout), (.watchlist, .watchlist):
            return part.question.symbols.isEmpty || question.symbols.isEmpty
        case (.watchlist, .movers): return !isQuestion
        default: return part.topic.subject == topic.subject
        }
    }

    // MARK: Parts

    /// A question may look up several things in one clause: "the price with its indicators".
    private mutating func addLookups() {
        parts = parts.flatMap { part -> [Part] in
            guard case .context = part.topic.need, part.topic.subject != .comparison else { return [part] }
            let more = GuideTopic.all.filter { topic in
                guard case .context = topic.need, topic.isPart(of: type), topic.subject != part.topic.subject else {
                    return false
                }
                let hasMarkets = !part.question.symbols.isEmpty
                switch topic.subject {
                case .comparison: return false
                case .movers: return !hasMarkets && part.question.has(Self.movers)
                case .prices: return hasMarkets && part.question.has(topic.words)
                default: return part.question.has(topic.words)
                }
            }
            let isMovers = part.topic.subject == .movers && !part.question.symbols.isEmpty
            let first = isMovers && more.contains { $0.subject == .prices } ? [] : [part]
            return first + more.map { self.part($0, part.clauses) }
        }
    }

    /// A part that names no market is about that of the message, else about the one before it.
    private mutating func nameMarkets() {
        let named = Set(parts.flatMap(\.question.symbols))
        guard !named.isEmpty else { return }
        var before: String? = named.count == 1 ? named.first : nil
        for (index, part) in parts.enumerated() {
            if !part.question.symbols.isEmpty {
                before = part.question.symbols.count == 1 || named.count == 1 ? part.question.symbols[0] : nil
            } else if part.topic.readsMarkets, part.topic.subject != .comparison {
                parts[index].focus = before
            }
        }
    }

    private mutating func checkOrders() {
        let orders = parts.filter { $0.topic.subject == .order }
        if orders.count > 1 { separate(orders.map { span($0.clauses) }) }
        for (part, next) in zip(parts, parts.dropFirst()) where next.topic.subject == .order {
            // "Alert me when it falls to 60000 and buy 0.1": then, or now?
            if part.question.has(Self.conditions) { separate([span(part.clauses), span(next.clauses)]) }
        }
        for part in parts where part.topic.isCard {
            let cards = GuideTopic.all.filter { $0.isCard && $0.isPart(of: type) && part.question.has($0.words) }
            guard cards.count > 1, problem == nil else { continue }
            problem =
                "I create nothing, because “\(Self.quoted(span(part.clauses)))” is about several things: "
                + "\(cards.map(\.name).joined(separator: ", ")). Send one request at a time."
        }
    }

    private mutating func separate(_ requests: [String]) {
        let named = requests.map { "“\(Self.quoted($0))”" }.joined(separator: " and ")
        problem =
            problem ?? "I create nothing, because I cannot separate these requests safely: \(named). "
            + "Send one request at a time."
    }

    static func quoted(_ text: String) -> String { text.count > 80 ? "\(text.prefix(80))…" : text }
}
