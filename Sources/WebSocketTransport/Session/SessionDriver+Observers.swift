import StreamCore

/// Who observes what, and when they get it.
extension SessionDriver {
    /// A new observer. The first one of a stream subscribes; one that comes later begins with a snapshot of what the
    /// stream has brought here, and nothing goes over the wire unless it needs more than the others.
    func join(_ observer: StreamObserver) {
        guard !isShutDown else { return observer.mailbox.finish() }
        guard let stream = streams[observer.name] else {
            let stream = SharedStream(observer, kept: configuration.keptCandles)
            update { session, now in
                streams.insert(stream, session.subscribe(stream.request, now: now))
            }
            return
        }
        let isEnough = stream.satisfies(observer)
        stream.observers.append(observer)
        if stream.extend(for: observer) || stream.isRefused {
            stream.isRefused = false
            update { session, now in _ = session.subscribe(stream.request, now: now) }
        }
        if stream.isPaused {
            resume(stream)
        } else if isEnough {
            observer.offer(stream.snapshot(for: observer, .first), of: stream)
            schedule(observer, now)
            setTimer()
        }
    }

    /// An observer goes; the last one of a stream unsubscribes.
    func leave(_ observer: StreamObserver) {
        observer.mailbox.finish()
        dueObservers.removeAll { $0 === observer }
        guard let stream = streams[observer.name], let index = stream.observers.firstIndex(where: { $0 === observer })
        else { return }
        stream.observers.remove(at: index)
        if stream.observers.isEmpty {
            streams.remove(stream)
            if let number = stream.number { update { $0.unsubscribe(number, now: $1) } }
        } else {
            pauseIfUnwatched(stream)
        }
    }

    func pause(_ observer: StreamObserver) {
        guard !observer.isPaused else { return }
        observer.pause()
        if let stream = streams[observer.name] { pauseIfUnwatched(stream) }
    }

    func resume(_ observer: StreamObserver) {
        guard observer.isPaused else { return }
        observer.resume()
        guard let stream = streams[observer.name] else { return }
        if stream.isPaused {
            resume(stream)
        } else if stream.live.isComplete {
            observer.offer(stream.snapshot(for: observer, .resumed), of: stream)
            schedule(observer, now)
            setTimer()
        }
    }

    private func pauseIfUnwatched(_ stream: SharedStream) {
        guard !stream.isPaused, let number = stream.number, stream.observers.allSatisfy({ $0.isPaused }) else { return }
        stream.isPaused = true
        update { $0.pause(number, now: $1) }
    }

    private func resume(_ stream: SharedStream) {
        guard let number = stream.number else { return }
        stream.isPaused = false
        update { $0.resume(number, now: $1) }
    }

    // MARK: Delivery

    /// An event of the session, to all observers of its stream.
    func deliver(_ event: StreamEvent, of number: SubscriptionNumber) {
        guard let stream = streams[number] else { return }
        if case .refused = event { stream.isRefused = true }
        stream.live.apply(event)
        let now = now
        for observer in stream.observers {
            observer.offer(event, of: stream)
            schedule(observer, now)
        }
    }

    /// The observer's task requests more.
    func ready(_ observer: StreamObserver) {
        guard let stream = streams[observer.name] else { return }
        observer.isReady = true
        observer.catchUp(from: stream)
        schedule(observer, now)
        setTimer()
    }

    /// Delivers now, or notes when.
    private func schedule(_ observer: StreamObserver, _ now: Double) {
        guard let deadline = observer.deadline else { return }
        if deadline <= now {
            observer.deliver(now: now)
        } else if !observer.isDue {
            observer.isDue = true
            dueObservers.append(observer)
            deliveryDeadline = min(deliveryDeadline, deadline)
        }
    }

    func deliverDue(_ now: Double) {
        deliveryDeadline = .infinity
        let due = dueObservers
        dueObservers.removeAll(keepingCapacity: true)
        for observer in due {
            observer.isDue = false
            schedule(observer, now)
        }
    }
}

/// Who observes which channel, and when the server gets a request.
extension SessionDriver {
    /// A new observer. The first one of a channel subscribes; each later one requests a snapshot of its own,
    /// because what a channel's messages add up to is not known here.
    func join(_ observer: ChannelObserver) {
        guard !isShutDown else { return observer.mailbox.finish() }
        channels[observer.key, default: []].append(observer)
        update { $0.subscribe(observer.key, now: $1) }
    }

    /// An observer goes; the last one of a channel unsubscribes.
    func leave(_ observer: ChannelObserver) {
        observer.mailbox.finish()
        guard let index = channels[observer.key]?.firstIndex(where: { $0 === observer }) else { return }
        channels[observer.key]?.remove(at: index)
        guard channels[observer.key]?.isEmpty == true else { return }
        channels[observer.key] = nil
        update { $0.unsubscribe(observer.key, now: $1) }
    }

    func refresh(_ observer: ChannelObserver) {
        guard channels[observer.key]?.contains(where: { $0 === observer }) == true else { return }
        update { $0.subscribe(observer.key, now: $1) }
    }

    /// An event of the session, to all observers of its channel.
    func deliver(_ event: StreamChannelEvent, of key: ChannelKey) {
        for observer in channels[key] ?? [] { observer.offer(event) }
    }

    /// The observer's task requests more.
    func ready(_ observer: ChannelObserver) { if observer.ready() { refresh(observer) } }

    func state(of observer: ChannelObserver) -> SubscriptionInfo.State? {
        guard channels[observer.key]?.contains(where: { $0 === observer }) == true else { return nil }
        return session.channel(observer.key)
    }
}
