import StreamCore

/// One subscription of the application to a channel, on the event loop: keeps what its task has not requested yet.
final class ChannelObserver {
    let key: ChannelKey
    let mailbox: Mailbox<StreamChannelEvent>
    /// The task waits for events.
    private var isReady = false
    /// A snapshot was sent for that this observer has not had yet: what comes before it belongs to those who know more.
    var awaitsStart = true
    /// Too much waited; a snapshot is requested when the task is back.
    private(set) var isBehind = false
    private var waiting: [StreamChannelEvent] = []
    private var waitingBytes = 0
    private var skipped = 0

    /// The most that waits for a task, in messages and in bytes of their texts.
    private static let maximumMessages = 4096
    private static let maximumBytes = 8 << 20

    init(key: ChannelKey, mailbox: Mailbox<StreamChannelEvent>) {
        self.key = key
        self.mailbox = mailbox
    }

    func offer(_ event: StreamChannelEvent) {
        switch event {
        case .subscribed:
            // One that is behind requests a start of its own when its task is back.
            guard !isBehind else { return }
            awaitsStart = false
            if key.channel.isState { drop { _ in true } }
            waiting.append(event)
        case .message(let message):
            guard !awaitsStart else { return }
            if isBehind {
                skipped += 1
                return
            }
            // The newest message of a state replaces all the others.
            if key.channel.isState { dropMessages() }
            waiting.append(event)
            waitingBytes += message.json.count
            if waiting.count > Self.maximumMessages || waitingBytes > Self.maximumBytes { fallBehind() }
        case .refused, .skipped: waiting.append(event)
        }
        deliver()
    }

    private func dropMessages() { drop { if case .message = $0 { true } else { false } } }

    private func drop(where isDropped: (StreamChannelEvent) -> Bool) {
        waiting.removeAll(where: isDropped)
        waitingBytes = 0
    }

    private func fallBehind() {
        isBehind = true
        let before = waiting.count
        dropMessages()
        skipped += before - waiting.count
    }

    /// The task requests more.
    /// - Returns: whether a new snapshot is to be requested, because too much was dropped.
    func ready() -> Bool {
        isReady = true
        let wasBehind = isBehind
        if wasBehind {
            isBehind = false
            awaitsStart = true
            waiting.append(.skipped(skipped))
            skipped = 0
        }
        deliver()
        return wasBehind
    }

    private func deliver() {
        guard isReady, !waiting.isEmpty else { return }
        isReady = false
        mailbox.put(waiting)
        waiting.removeAll()
        waitingBytes = 0
    }
}
