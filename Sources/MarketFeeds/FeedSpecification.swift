import MarketModel

/// Where the ticks come from, as `--feed` says it.
public enum FeedSpecification: Sendable, Equatable {
    /// The simulated exchange with these symbols.
    case simulated(symbols: [String])
    /// A recording, played through the same way as live data.
    case replay(path: String)

    /// Reads `sim`, `sim:BTC-USD,ETH-USD` or `replay:FILE`.
    /// - Throws: `FeedError` that names what is allowed.
    public init(_ text: String) throws(FeedError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let argument = parts.count == 2 ? parts[1] : nil
        switch parts[0] {
        case "sim":
            guard let argument else {
                self = .simulated(symbols: SimulatedMarket.all.map(\.market.symbol))
                return
            }
            self = .simulated(symbols: try Self.simulatedSymbols(argument))
        case "replay":
            guard let argument, !argument.isEmpty else {
                throw FeedError(.usage, "The feed \"replay\" needs a file: replay:FILE.")
            }
            self = .replay(path: argument)
        default:
            throw FeedError(.usage, "Unknown feed \"\(text)\"; allowed are sim, sim:SYMBOL,... and replay:FILE.")
        }
    }

    private static func simulatedSymbols(_ list: String) throws(FeedError) -> [String] {
        var symbols: [String] = []
        for symbol in list.split(separator: ",").map(String.init) {
            guard SimulatedMarket.all.contains(where: { $0.market.symbol == symbol }) else {
                let known = SimulatedMarket.all.map(\.market.symbol).joined(separator: ", ")
                throw FeedError(.usage, "The simulated exchange has no market \"\(symbol)\"; it has \(known).")
            }
            if !symbols.contains(symbol) { symbols.append(symbol) }
        }
        guard !symbols.isEmpty else {
            throw FeedError(.usage, "The feed \"sim:\" needs at least one symbol, for example sim:BTC-USD,ETH-USD.")
        }
        return symbols
    }
}
