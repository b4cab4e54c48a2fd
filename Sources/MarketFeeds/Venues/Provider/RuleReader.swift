/// Reads one rule of a configuration: the types of its messages, and where their values are.
enum RuleReader {
    /// Takes the keys of a rule; what is not named is as usual.
    /// - Parameter isTyped: whether a field tells its messages from others.
    static func read(
        _ object: inout ConfigurationObject, _ usual: ProviderRule, isTyped: Bool
    ) throws(FeedError) -> ProviderRule {
        var rule = usual
        if isTyped, let types = try object.texts("type") { rule.types = types }
        let hasRows = usual.meaning == .tick || usual.meaning == .candle || usual.meaning == .snapshot
        if hasRows, let rows = try object.path("rows", mayBeNull: true) { rule.rows = rows }
        let required = ProviderRule.required(usual.meaning)
        let optional = ProviderRule.optional(usual.meaning)
        // The history's rows are of a market and a timeframe that are known.
        for field in required + optional where usual.fields[field] != nil || optional.contains(field) {
            if let path = try object.path(field.word, mayBeNull: optional.contains(field)) { rule.fields[field] = path }
        }
        if usual.meaning == .tick {
            rule.buy = try object.texts("buy") ?? []
            rule.sell = try object.texts("sell") ?? []
        }
        return rule
    }

    /// What the numbers of trades tell, where trades have any.
    static func numbering(
        _ object: inout ConfigurationObject, _ rule: ProviderRule
    ) throws(FeedError) -> Venue.Numbering {
        let node = object.take("numbering")
        guard rule.fields[.id] != nil else {
            if let node { throw object.error("numbering", node, "left out where \"tick.id\" is") }
            return .none
        }
        guard let node else { return .unique }
        switch node.value {
        case .string("unique"): return .unique
        case .string("consecutive"): return .consecutive
        default: throw object.error("numbering", node, "unique, or consecutive where they count up by one")
        }
    }
}
