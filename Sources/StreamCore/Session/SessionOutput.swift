/// What a session has decided: its actions in order, and the counters that go with them.
struct SessionOutput {
    var actions = ActionQueue<SessionAction>()
    var counts = SessionDiagnostics()

    mutating func emit(_ event: SessionEvent) {
        actions.append(.emit(event))
    }

    mutating func emit(_ number: SubscriptionNumber, _ event: StreamEvent) {
        actions.append(.emit(.stream(number, event)))
    }

    mutating func emit(_ channel: ChannelKey, _ event: StreamChannelEvent) {
        actions.append(.emit(.channel(channel, event)))
    }

    mutating func send(_ message: ClientMessage, on socket: SocketNumber) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160)
        ClientMessageWriter.write(message, into: &bytes)
        counts.messagesOut += 1
        counts.bytesOut += Int64(bytes.count)
        actions.append(.send(socket, bytes))
    }
}
