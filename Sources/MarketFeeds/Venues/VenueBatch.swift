/// What one message says, as far as candles need it. One batch serves all messages of a session, so that none costs an
/// allocation. A message that turns out to be malformed leaves nothing in it.
@usableFromInline struct VenueBatch: Sendable {
    @usableFromInline var trades: [VenueTrade] = []
    var candles: [MessageCandle] = []
    @usableFromInline var quotes: [VenueQuote] = []
    /// Trades are reported newest first.
    var isNewestFirst = false
    /// A market's last trade so far, as a heartbeat has it.
    var lastTrade: (symbol: VenueText, id: UInt64)?
    /// The market it is about, where nothing else answers a subscription.
    var subject: VenueText?

    /// It answers a request too, whatever else is in it.
    var hasAnswer = false

    mutating func clear() {
        hasAnswer = false
        // One is the usual number, for which that is much shorter.
        if trades.count == 1 { trades.removeLast() } else { trades.removeAll(keepingCapacity: true) }
        if !candles.isEmpty { candles.removeAll(keepingCapacity: true) }
        if !quotes.isEmpty { quotes.removeAll(keepingCapacity: true) }
        isNewestFirst = false
        lastTrade = nil
        subject = nil
    }
}
