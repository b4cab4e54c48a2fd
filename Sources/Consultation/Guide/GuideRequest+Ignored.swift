extension GuideRequest.Part {
    /// What changes nothing of what the topic answers, as it was written: whole clauses, and words of the others.
    /// - Parameter plans: all that the message's answer makes.
    func ignored(in snapshot: MarketSnapshot, plans: Set<GuideTopic.Subject>) -> [String] {
        // They name the words without a meaning themselves.
        guard !topic.isCard else { return [] }
        let clauses = loose.filter { isIgnored($0, plans) }.map(\.text)
        var rest = question.text
        for clause in clauses { rest = rest.replacing(clause, with: ". ", maxReplacements: 1) }
        let words = topic.isPlan ? ignoredByPlan(GuideQuestion(rest, in: snapshot), plans) : notLookedUp(rest, snapshot)
        return (clauses + words).map { GuideRequest.quoted(String($0.trimmingEdges(of: ",.;?! "))) }
    }

    private func isIgnored(_ clause: GuideQuestion, _ plans: Set<GuideTopic.Subject>) -> Bool {
        if clause.words.allSatisfy({ $0.isEmpty || OrderSentence.courtesy.contains($0) }) { return false }
        switch topic.subject {
        case .alert, .layout, .order, .watchlist: return false
        case .meal, .workout, .wellness:
            // `a bad knee and hip`: one clause alone says less.
            let rest = question.text.replacing(clause.text, with: " ")
            return !ignoredByPlan(clause, plans).isEmpty
                && StatedFacts([question.text]).respected(by: plans) == StatedFacts([rest]).respected(by: plans)
        case .comparison:
            let isPeriod = clause.has(Guide.periodWords) || clause.words.contains { $0.first?.isNumber == true }
            return !isPeriod && !clause.has("why") && clause.symbols.isEmpty
        case .indicators, .prices: return clause.symbols.isEmpty
        case .feeds, .movers, .positions: return true
        }
    }

    /// Words and numbers without which the same would have been stated.
    private func ignoredByPlan(_ question: GuideQuestion, _ plans: Set<GuideTopic.Subject>) -> [String] {
        func facts(without left: Int? = nil) -> StatedFacts {
            let texts = question.pieces.indices.filter { $0 != left }.map { question.pieces[$0].text }
            return StatedFacts([texts.joined(separator: " ")]).respected(by: plans)
        }
        let (stated, whole) = (facts(), StatedFacts([self.question.text]).respected(by: plans))
        var known = GuideTopic.all.filter { plans.contains($0.subject) }.reduce(into: Self.filling) {
            $0.formUnion($1.words)
        }
        known.formUnion(Self.planning)
        // No exercise needs any.
        if plans.contains(.workout) { known.formUnion(["equipment", "home"]) }
        var checked = 0
        return question.unknown { index, piece in
            if let word = piece.word, known.contains(word) || whole.has(word) { return true }
            // `goat cheese`, `glute bridges`: what it is, is the second word.
            let next = index + 1 < question.pieces.count ? question.pieces[index + 1].word : nil
            if let next, whole.avoids(next) { return true }
            // Each costs a reading of the whole.
            checked += 1
            return checked <= Self.maxChecked && stated != facts(without: index)
        }
    }

    private func notLookedUp(_ text: String, _ snapshot: MarketSnapshot) -> [String] {
        let isComparison = topic.subject == .comparison
        let known = Self.filling.union(GuideRequest.lookingUp).union(Self.lookups)
            .union(isComparison ? Guide.periodWords.union(["why"]) : [])
        return GuideQuestion(text, in: snapshot).unknown { _, piece in
            switch piece.content {
            case .symbol: true
            case .number, .percent: isComparison
            case .word(let word): known.contains(word) || isComparison && word.first?.isNumber == true
            }
        }
    }

    private static let maxChecked = 40

    private static func set(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    /// They say nothing about what is wanted.
    private static let filling = GuideLanguage.english.subtracting(
        set(
            "ask cheap days few high less low month new next quick simple tomorrow two under until week why without year"
        ))

    /// Of sentences about plans.
    private static let planning = set(
        "actually around balanced create day diet generate idea ideas menu per plan planning plans propose recommend routine suggest suggestion template"
    )

    /// Of all questions about markets, which several answers may share.
    private static let lookups = GuideTopic.all.reduce(
        into: set(
            "btw candle candles chart crypto current currently doing last latest overview past performance present right state status summary today top "
                + "trade trades trading update value")
    ) { words, topic in
        if case .context = topic.need { words.formUnion(topic.words) }
    }
}
