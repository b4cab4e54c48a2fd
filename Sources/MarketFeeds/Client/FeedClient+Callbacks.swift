/// The callbacks of a `FeedClient`, for apps that have no use for a sequence. All of them read the client's one queue:
/// an `observe` replaces `events`. Cancelling the returned task, or releasing the client, ends the calls.
extension FeedClient {
    /// Calls back on the main actor.
    /// - Parameters:
    ///   - onReady: all connections are open.
    ///   - onDisconnect: they no longer are, with the reason as a sentence; the client comes back by itself unless the
    ///     application disconnected it.
    ///   - onOther: everything else.
    @discardableResult public func observe(
        onReady: @escaping @MainActor @Sendable () -> Void = {},
        onTrade: @escaping @MainActor @Sendable (FeedTrade) -> Void = { _ in },
        onQuote: @escaping @MainActor @Sendable (FeedQuote) -> Void = { _ in },
        onCandles: @escaping @MainActor @Sendable (FeedCandles) -> Void = { _ in },
        onDisconnect: @escaping @MainActor @Sendable (_ reason: String) -> Void = { _ in },
        onOther: @escaping @MainActor @Sendable (FeedClientEvent) -> Void = { _ in }
    ) -> Task<Void, Never> {
        Task { @MainActor [events] in
            for await event in events {
                event.dispatch(
                    onReady: onReady, onTrade: onTrade, onQuote: onQuote, onCandles: onCandles,
                    onDisconnect: onDisconnect, onOther: onOther)
            }
        }
    }

    /// Calls back on this executor, one call after another.
    @discardableResult public func observe(
        on executor: any TaskExecutor, onReady: @escaping @Sendable () -> Void = {},
        onTrade: @escaping @Sendable (FeedTrade) -> Void = { _ in },
        onQuote: @escaping @Sendable (FeedQuote) -> Void = { _ in },
        onCandles: @escaping @Sendable (FeedCandles) -> Void = { _ in },
        onDisconnect: @escaping @Sendable (_ reason: String) -> Void = { _ in },
        onOther: @escaping @Sendable (FeedClientEvent) -> Void = { _ in }
    ) -> Task<Void, Never> {
        Task(executorPreference: executor) { [events] in
            for await event in events {
                event.dispatch(
                    onReady: onReady, onTrade: onTrade, onQuote: onQuote, onCandles: onCandles,
                    onDisconnect: onDisconnect, onOther: onOther)
            }
        }
    }
}

extension FeedClientEvent {
    /// Calls the one callback of this event.
    fileprivate func dispatch(
        onReady: () -> Void, onTrade: (FeedTrade) -> Void, onQuote: (FeedQuote) -> Void,
        onCandles: (FeedCandles) -> Void, onDisconnect: (String) -> Void, onOther: (FeedClientEvent) -> Void
    ) {
        switch self {
        case .ready: onReady()
        case .trade(let trade): onTrade(trade)
        case .quote(let quote): onQuote(quote)
        case .candles(let candles): onCandles(candles)
        case .disconnected(let reason): onDisconnect(reason)
        default: onOther(self)
        }
    }
}
