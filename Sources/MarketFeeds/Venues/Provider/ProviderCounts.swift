/// What a provider's messages were, besides what is counted of every venue.
public struct ProviderCounts: Sendable, Equatable {
    /// Messages of a type that the configuration does not name.
    public internal(set) var unknownTypes = 0
    /// Trades and candles of symbols that were not asked for.
    public internal(set) var otherSymbols = 0
    /// Messages that were lost because a value is missing, by the first one that is.
    public internal(set) var missing = Tally<ProviderField>()
}
