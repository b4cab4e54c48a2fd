/// A day's prices as a venue's reference data has them; what it does not say is `nil`.
public struct ReferencePrice: Sendable, Equatable {
    /// `2024-08-08`, as the venue writes it; empty where it does not.
    public var date = ""
    public var open: Double?
    public var high: Double?
    public var low: Double?
    public var close: Double?
    public var volume: Double?

    public init(
        date: String = "", open: Double? = nil, high: Double? = nil, low: Double? = nil, close: Double? = nil,
        volume: Double? = nil
    ) {
        self.date = date
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
    }

    /// From the open to this price, absolute and in percent. `nil` where either is not known; no percentage of an open
    /// of 0.
    public func change(to price: Double?) -> (absolute: Double, percent: Double?)? {
        guard let open, let price, open.isFinite, price.isFinite else { return nil }
        let change = price - open
        return (change, open == 0 ? nil : change / open * 100)
    }
}
