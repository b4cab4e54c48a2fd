import MarketFeeds

/// What is counted of a configured provider's messages, over its connections.
struct ProviderFigures {
    private var unknownTypes = 0
    private var otherSymbols = 0
    private var missing: [ProviderField: Int] = [:]
    private var isThere = false

    mutating func add(_ counts: ProviderCounts) {
        isThere = true
        unknownTypes += counts.unknownTypes
        otherSymbols += counts.otherSymbols
        for field in ProviderField.allCases where counts.missing[field] > 0 {
            missing[field, default: 0] += counts.missing[field]
        }
    }

    /// Empty of venues with an adapter of their own; values that were never missing are left out.
    var figures: [(name: String, value: Int)] {
        guard isThere else { return [] }
        var figures = [(name: "unknown_types", value: unknownTypes), (name: "other_symbols", value: otherSymbols)]
        for field in ProviderField.allCases {
            if let count = missing[field] { figures.append(("missing_\(field.word)", count)) }
        }
        return figures
    }
}
