import MarketModel

/// How a provider's messages are built, as a configuration says it.
struct ProviderShape: Sendable, Equatable {
    /// Where messages stand in what is sent at once; `nil`: it is one, or an array of them.
    var batch: FieldPath?
    /// What tells sorts of messages apart; `nil`: their fields.
    var type = FieldPath("type")
    var unit = ProviderTimeUnit.seconds
    var rules: [ProviderRule] = [.usual(.tick), .usual(.candle), .usual(.snapshot), .usual(.error)]
    var numbering = Venue.Numbering.none
    /// The length of candles of which the message does not say it.
    var timeframe = Timeframe.m1
    /// What the provider calls timeframes.
    var timeframeNames = ProviderShape.usualNames

    static let usualNames = Dictionary(uniqueKeysWithValues: Timeframe.allCases.map { ($0, $0.rawValue) })

    func rule(_ meaning: ProviderRule.Meaning) -> ProviderRule? { rules.first { $0.meaning == meaning } }
}
