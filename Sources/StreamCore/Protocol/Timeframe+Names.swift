public import MarketModel

extension Timeframe {
    /// All raw values, for error messages: `1s, 5s, ... 1M`.
    public static let allowedNames: String = {
        var names = ""
        for timeframe in Timeframe.allCases {
            if !names.isEmpty { names += ", " }
            names += timeframe.rawValue
        }
        return names
    }()
}
