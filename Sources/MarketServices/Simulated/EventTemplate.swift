public import MarketModel

/// A sentence that an event of chance is made from. `{symbol}`, `{price}` and `{percent}` are filled in.
public struct EventTemplate: Sendable, Hashable {
    public var type: ServiceEventType
    public var message: String
    /// Goes with the event as it is.
    public var metadata: [String: String]?

    public init(_ type: ServiceEventType, _ message: String, metadata: [String: String]? = nil) {
        self.type = type
        self.message = message
        self.metadata = metadata
    }

    /// Signals, risks and news of the system. Events of orders and positions come when they happen, not by chance.
    public static let standard: [EventTemplate] = [
        EventTemplate(.signal, "Long signal detected on {symbol} at {price}", metadata: ["direction": "long"]),
        EventTemplate(.signal, "Short signal detected on {symbol} at {price}", metadata: ["direction": "short"]),
        EventTemplate(.signal, "Long signal on {symbol}: {percent} % in 24 hours", metadata: ["direction": "long"]),
        EventTemplate(.risk, "Risk alert: {symbol} moved {percent} % in 24 hours", metadata: ["level": "warning"]),
        EventTemplate(.system, "Market data is complete up to now", metadata: ["component": "markets"]),
        EventTemplate(.system, "The simulated exchange trades {symbol} at {price}", metadata: ["component": "feed"]),
    ]

    /// The event of this template for a market.
    /// - Parameter id: of the event.
    func event(id: String, market: MarketInfo, time: Double) -> ServiceEvent {
        var text = message
        var isAbout = false
        let change = market.changePercent24h.map { ($0 * 100).rounded() / 100 } ?? 0
        for (name, value) in [
            ("{symbol}", market.symbol), ("{price}", market.price.map { "\($0)" } ?? "–"), ("{percent}", "\(change)"),
        ] where text.contains(name) {
            text = text.replacing(name, with: value)
            isAbout = true
        }
        return ServiceEvent(
            id: id, type: type, symbol: isAbout ? market.symbol : nil, message: text, timestamp: time,
            metadata: metadata)
    }

    /// Draws an event of chance: one of the templates, about one of the markets. `nil` where there is none of either.
    /// The same generator draws the same.
    public static func draw(
        from templates: [EventTemplate], markets: [MarketInfo], id: String, time: Double,
        random: inout SeededGenerator
    ) -> ServiceEvent? {
        guard let template = templates.randomElement(using: &random),
            let market = markets.randomElement(using: &random)
        else { return nil }
        return template.event(id: id, market: market, time: time)
    }
}
