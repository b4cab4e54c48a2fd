import StreamCore

/// Who observes which channel, and when the server is asked.
extension SessionDriver {
    /// A new observer. The first one of a channel subscribes; each one that comes later asks for a snapshot of its own,
    /// because what a channel's messages add up to is not known here.
    func join(_ observer: ChannelObserver) {
        guard !isShutDown else { return observer.mailbox.finish() }
        channels[observer.key, default: []].append(observer)
        tell { $0.subscribe(observer.key, now: $1) }
    }

    /// An observer goes; the last one of a channel unsubscribes.
    func leave(_ observer: ChannelObserver) {
        observer.mailbox.finish()
        guard let index = channels[observer.key]?.firstIndex(where: { $0 === observer }) else { return }
        channels[observer.key]?.remove(at: index)
        guard channels[observer.key]?.isEmpty == true else { return }
        channels[observer.key] = nil
        tell { $0.unsubscribe(observer.key, now: $1) }
    }

    func refresh(_ observer: ChannelObserver) {
        guard channels[observer.key]?.contains(where: { $0 === observer }) == true else { return }
        tell { $0.subscribe(observer.key, now: $1) }
    }

    /// An event of the session, to everybody who observes its channel.
    func deliver(_ event: StreamChannelEvent, of key: ChannelKey) {
        for observer in channels[key] ?? [] { observer.offer(event) }
    }

    /// The observer's task asks for more.
    func ready(_ observer: ChannelObserver) {
        if observer.ready() { refresh(observer) }
    }

    func state(of observer: ChannelObserver) -> SubscriptionInfo.State? {
        guard channels[observer.key]?.contains(where: { $0 === observer }) == true else { return nil }
        return session.channel(observer.key)
    }
}
