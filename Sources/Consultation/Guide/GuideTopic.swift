internal import ConversationCore

/// Something that the guide answers or makes: which questions are about it, and which consultations have it.
struct GuideTopic {
    enum Need {
        case template(TemplateKind)
        case context(ConsultationType.Context)
    }

    enum Subject {
        case alert, watchlist, order, layout, meal, workout, wellness, comparison, positions, feeds, movers, indicators
        case prices
    }

    let subject: Subject
    /// What it is called where a consultation does not have it.
    let name: String
    let need: Need
    /// For the help; `{symbol}` is a market.
    let examples: [String]
    /// Each of which is enough for a question to be about it.
    let words: Set<String>
    private let also: @Sendable (GuideQuestion) -> Bool
    let make: @Sendable (GuideInput) -> GuideAnswer

    struct GuideInput {
        var question: GuideQuestion
        var snapshot: MarketSnapshot
        var type: ConsultationType
        /// All that the user said, the question last.
        var said: [String]
        var past: [ComparedCandles]
    }

    func isPart(of type: ConsultationType) -> Bool {
        switch need {
        case .template(let kind): type.templates.contains(kind)
        case .context(let context): type.context.contains(context)
        }
    }

    private init(
        _ subject: Subject, name: String, need: Need, examples: [String], words: String,
        also: @escaping @Sendable (GuideQuestion) -> Bool = { _ in false },
        make: @escaping @Sendable (GuideInput) -> GuideAnswer
    ) {
        (self.subject, self.name, self.need, self.examples) = (subject, name, need, examples)
        self.words = Set(words.split(separator: " ").map(String.init))
        (self.also, self.make) = (also, make)
    }

    func matches(_ question: GuideQuestion) -> Bool { question.has(words) || also(question) }

    /// Whether it can be meant where the consultation does not have it: "is coffee healthy?" is about no feed.
    func isNamed(by question: GuideQuestion) -> Bool {
        matches(question) && (subject != .feeds || question.has("connection", "feed", "feeds"))
    }

    /// Whether it makes a card of the markets.
    var isCard: Bool { [.alert, .watchlist, .order, .layout].contains(subject) }

    /// Whether it makes a plan from all that was stated.
    var isPlan: Bool { [.meal, .workout, .wellness].contains(subject) }

    /// Whether markets that are named beside it are part of it.
    var readsMarkets: Bool { isCard || [.comparison, .indicators, .prices].contains(subject) }

    /// In the order of precedence.
    static let all: [GuideTopic] = [
        GuideTopic(
            .alert, name: "alerts", need: .template(.alert), examples: ["alert {symbol} above 70000"],
            words: "alarm alert alerts notify warn",
            make: { Guide.alert($0.question, $0.snapshot) }),
        GuideTopic(
            .watchlist, name: "watchlists", need: .template(.watchlist), examples: ["watchlist of the movers"],
            words: "watch-list watchlist", also: { $0.has("watch") && $0.has("list") },
            make: { Guide.watchlist($0.question, $0.snapshot) }),
        GuideTopic(
            .order, name: "orders", need: .template(.orderProposal),
            examples: ["buy 0.1 {symbol} with stop loss 2 % below (a paper order, proposed only)"],
            words: "buy long order sell short",
            make: { Guide.order($0.question, $0.snapshot) }),
        GuideTopic(
            .layout, name: "chart layouts", need: .template(.chartLayout), examples: ["chart layout {symbol} 5m"],
            words: "layout", also: { $0.has("chart") && $0.has("create", "make", "show", "open", "set") },
            make: { Guide.layout($0.question, $0.snapshot) }),
        GuideTopic(
            .meal, name: "meal plans", need: .template(.meal),
            examples: ["meal plan", "vegetarian meal plan with 1,800 kcal"],
            words: """
                breakfast calories diet dinner eat food hungry kcal lunch meal meals nutrition recipe recipes vegan \
                vegetarian weight
                """,
            make: { MealPlan.answer(StatedFacts($0.said), $0.type.safetyNotes) }),
        GuideTopic(
            .workout, name: "workouts", need: .template(.workout),
            examples: ["workout of 20 minutes", "workout with a bad knee"],
            words: "exercise exercises fit fitness gym muscle train training workout workouts",
            make: { WorkoutPlan.answer(StatedFacts($0.said), $0.type.safetyNotes) }),
        GuideTopic(
            .wellness, name: "wellness routines", need: .template(.wellness), examples: ["wellness routine"],
            words: "meditation mood relax relaxation sleep stress wellness",
            make: { Guide.wellness($0.type.safetyNotes) }),
        GuideTopic(
            .comparison, name: "comparisons of markets", need: .context(.markets),
            examples: ["compare {symbol} and another market"],
            words: "compare compared comparison outperformed stronger strongest versus vs weaker weakest",
            also: { $0.symbols.count > 1 && $0.has("better", "worse", "best", "worst") },
            make: { Guide.compare($0.question, $0.snapshot, $0.past) }),
        GuideTopic(
            .positions, name: "positions", need: .context(.positions), examples: ["my positions"],
            words: "holdings loss p&l pnl portfolio position positions profit",
            make: { Guide.positions($0.snapshot) }),
        GuideTopic(
            .feeds, name: "state of the feeds", need: .context(.feeds), examples: ["are the feeds healthy?"],
            words: "connected connection delay delayed feed feeds health healthy live stale",
            make: { Guide.feeds($0.snapshot) }),
        GuideTopic(
            .movers, name: "prices", need: .context(.markets), examples: ["biggest movers"],
            words: "biggest gainer gainers loser losers market markets mover movers moving",
            make: { Guide.movers($0.question, $0.snapshot) }),
        GuideTopic(
            .indicators, name: "indicators", need: .context(.markets), examples: ["indicators"],
            words: "atr bollinger ema indicator indicators macd rsi sma vwap",
            make: { Guide.indicators($0.question, $0.snapshot) }),
        GuideTopic(
            .prices, name: "prices", need: .context(.markets), examples: ["price of {symbol}"],
            words: "change cost high low price prices quote worth", also: { !$0.symbols.isEmpty },
            make: { Guide.prices($0.question, $0.snapshot) }),
    ]

    static let vocabulary = all.reduce(into: Set<String>()) { $0.formUnion($1.words) }
}
