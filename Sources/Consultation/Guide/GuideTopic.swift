internal import ConversationCore

/// Something that the guide answers or makes: which questions are about it, and which consultations have it.
struct GuideTopic {
    enum Need {
        case template(TemplateKind)
        case context(ConsultationType.Context)
    }

    /// What it is called where a consultation does not have it.
    let name: String
    let need: Need
    /// For the help; `{symbol}` is a market.
    let examples: [String]
    let matches: @Sendable (GuideQuestion) -> Bool
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

    func answer(
        _ question: GuideQuestion, _ snapshot: MarketSnapshot, _ type: ConsultationType, _ said: [String],
        _ past: [ComparedCandles]
    ) -> GuideAnswer {
        make(GuideInput(question: question, snapshot: snapshot, type: type, said: said, past: past))
    }

    /// In the order of precedence.
    static let all: [GuideTopic] = [
        GuideTopic(
            name: "alerts", need: .template(.alert), examples: ["alert {symbol} above 70000"],
            matches: { $0.has("alert", "alarm", "notify", "warn") },
            make: { Guide.alert($0.question, $0.snapshot) }),
        GuideTopic(
            name: "watchlists", need: .template(.watchlist), examples: ["watchlist of the movers"],
            matches: { $0.has("watchlist", "watch-list") || $0.has("watch") && $0.has("list") },
            make: { Guide.watchlist($0.question, $0.snapshot) }),
        GuideTopic(
            name: "orders", need: .template(.orderProposal),
            examples: ["buy 0.1 {symbol} with stop loss 2 % below (a paper order, proposed only)"],
            matches: { $0.has("buy", "sell", "long", "short", "order") },
            make: { Guide.order($0.question, $0.snapshot) }),
        GuideTopic(
            name: "chart layouts", need: .template(.chartLayout), examples: ["chart layout {symbol} 5m"],
            matches: {
                $0.has("layout", "chart") && $0.has("layout", "create", "make", "show", "open", "set")
            },
            make: { Guide.layout($0.question, $0.snapshot) }),
        GuideTopic(
            name: "meal plans", need: .template(.meal),
            examples: ["meal plan", "vegetarian meal plan with 1,800 kcal"],
            matches: {
                $0.has(
                    "meal", "meals", "nutrition", "diet", "eat", "food", "recipe", "recipes", "weight", "breakfast",
                    "lunch",
                    "dinner", "kcal", "calories", "vegetarian", "vegan", "hungry")
            },
            make: { MealPlan.answer(StatedFacts($0.said), $0.type.safetyNotes) }),
        GuideTopic(
            name: "workouts", need: .template(.workout),
            examples: ["workout of 20 minutes", "workout with a bad knee"],
            matches: {
                $0.has(
                    "workout", "workouts", "exercise", "exercises", "training", "train", "gym", "fitness", "muscle",
                    "fit")
            },
            make: { WorkoutPlan.answer(StatedFacts($0.said), $0.type.safetyNotes) }),
        GuideTopic(
            name: "wellness routines", need: .template(.wellness), examples: ["wellness routine"],
            matches: { $0.has("wellness", "sleep", "stress", "relax", "relaxation", "meditation", "mood") },
            make: { Guide.wellness($0.type.safetyNotes) }),
        GuideTopic(
            name: "comparisons of markets", need: .context(.markets), examples: ["compare {symbol} and another market"],
            matches: { Guide.isComparison($0) },
            make: { Guide.compare($0.question, $0.snapshot, $0.past) }),
        GuideTopic(
            name: "positions", need: .context(.positions), examples: ["my positions"],
            matches: { $0.has("position", "positions", "portfolio", "holdings", "profit", "pnl", "loss") },
            make: { Guide.positions($0.snapshot) }),
        GuideTopic(
            name: "state of the feeds", need: .context(.feeds), examples: ["are the feeds healthy?"],
            matches: {
                $0.has(
                    "feed", "feeds", "connection", "connected", "stale", "delay", "delayed", "health", "healthy", "live"
                )
            },
            make: { Guide.feeds($0.snapshot) }),
        GuideTopic(
            name: "prices", need: .context(.markets), examples: ["biggest movers"],
            matches: {
                $0.has(
                    "mover", "movers", "gainer", "gainers", "loser", "losers", "biggest", "moving", "market", "markets")
            },
            make: { Guide.movers($0.snapshot) }),
        GuideTopic(
            name: "indicators", need: .context(.markets), examples: ["indicators"],
            matches: {
                $0.has("indicator", "indicators", "rsi", "sma", "ema", "macd", "bollinger", "atr", "vwap")
            },
            make: { Guide.indicators($0.question, $0.snapshot) }),
        GuideTopic(
            name: "prices", need: .context(.markets), examples: ["price of {symbol}"],
            matches: {
                !$0.symbols.isEmpty || $0.has("price", "prices", "quote", "cost", "worth", "high", "low", "change")
            },
            make: { Guide.prices($0.question, $0.snapshot) }),
    ]
}
