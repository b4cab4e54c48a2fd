import StreamCore

/// Performs what the venue's rules answer: messages, subscriptions, ends of connections.
extension VenueMachine {
    mutating func with(
        _ number: Int, _ now: Double, _ body: (inout VenueConnection, VenueMoment) -> [VenueReply]
    ) {
        guard var connection = connections[number], !connection.isOver else { return }
        let moment = moment(of: connection, now)
        let replies = body(&connection, moment)
        connections[number] = connection
        perform(replies, on: number, now)
    }

    private mutating func perform(_ replies: [VenueReply], on number: Int, _ now: Double) {
        for reply in replies {
            guard var connection = connections[number], !connection.isOver else { return }
            switch reply {
            case .send(let text): say(text, &connection)
            case .answer(let text):
                if connection.played < connection.faults.dataBeforeAnswer {
                    connection.heldAnswers.append(text)
                } else {
                    say(text, &connection)
                }
            case .subscribe(let topic, let withFirst):
                connection.subscriptionDeadline = nil
                guard connection.topics.insert(topic).inserted else { break }
                note(.subscribed(connection: number, topic))
                begin(topic, withFirst, &connection, now)
            case .unsubscribe(let topic):
                guard connection.topics.remove(topic) != nil else { break }
                connection.backlog.removeAll { $0.topic == topic }
                note(.unsubscribed(connection: number, topic))
            case .alive: connection.silenceDeadline = facts.clientHeartbeat.map { now + $0 }
            case .close(let code, let reason):
                connections[number] = connection
                return kick(number, code, reason)
            }
            connections[number] = connection
        }
    }

    private mutating func begin(
        _ topic: VenueTopic, _ withFirst: Bool, _ connection: inout VenueConnection, _ now: Double
    ) {
        if connection.cursor == nil {
            switch settings.pace {
            case .asFastAsRead:
                let own = VenueTimeline(market.session, settings, now: now)
                connection.timeline = own
                connection.cursor = own.beginning
            case .recorded:
                if timeline == nil || timeline?.isOver(at: now) == true {
                    timeline = VenueTimeline(market.session, settings, now: now, after: timeline)
                }
                connection.cursor = timeline?.place(at: now - 1e-6)
            }
        } else if settings.pace == .asFastAsRead, let cursor = connection.cursor, let own = connection.timeline,
            cursor != own.beginning
        {
            connection.backlog.append(.init(topic: topic, next: own.beginning, end: cursor))
            connection.hasEnded = false
        }
        guard withFirst else { return }
        let moment = moment(of: connection, now)
        if case .recorded = settings.pace, moment.position > 0 || moment.round > 0,
            let composed = connection.rules.first(topic, at: moment)
        {
            sendRecorded(composed, &connection)
        } else if let indices = market.firsts[topic] {
            let index = indices.last { $0 < moment.position } ?? indices[0]
            sendRecorded(message(index, topic.symbol, moment.round, connection.timeline ?? timeline), &connection)
        }
    }

    private mutating func say(_ text: String, _ connection: inout VenueConnection) {
        guard !connection.isSilent else { return }
        connection.hasSentData = true
        actions.append(.send(connection: connection.number, connection.rules.stamp(Array(text.utf8))))
    }

    mutating func kick(_ number: Int, _ code: WebSocketCloseCode, _ reason: String) {
        connections[number]?.isOver = true
        actions.append(.close(connection: number, code, reason: reason))
        note(.kicked(connection: number, reason: reason))
    }

    /// - Returns: whether the client may still send.
    mutating func consumeToken(_ number: Int, _ now: Double) -> Bool {
        guard connections[number]?.bucket?.consume(now: now) == false else { return true }
        with(number, now) { connection, _ in connection.rules.exceededRate() }
        return false
    }
}
