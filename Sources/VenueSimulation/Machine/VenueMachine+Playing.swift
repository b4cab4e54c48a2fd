import StreamCore

/// Sends the recorded messages to the connections that requested them, as fast as the settings allow.
extension VenueMachine {
    mutating func play(_ number: Int, _ now: Double) {
        guard var connection = connections[number], let cursor = connection.cursor,
            let timeline = connection.timeline ?? timeline
        else { return }
        var place = cursor
        var budget = (messages: Self.messagesPerTurn, bytes: Self.bytesPerTurn)
        while connection.isWritable, !connection.isOver, budget.messages > 0, budget.bytes > 0 {
            if let late = connection.backlog.first {
                guard late.next != late.end else {
                    connection.backlog.removeFirst()
                    continue
                }
                connection.backlog[0].next = timeline.next(late.next)
                if connection.topics.contains(late.topic) {
                    offer(late.next, only: late.topic, timeline, &connection, &budget)
                }
            } else {
                guard let due = timeline.due(place), due <= now else { break }
                offer(place, only: nil, timeline, &connection, &budget)
                place = timeline.next(place)
                connection.cursor = place
            }
        }
        if !connection.hasEnded, connection.backlog.isEmpty, timeline.due(place) == nil {
            connection.hasEnded = true
            note(.ended(connection: number))
        }
        connections[number] = connection
    }

    /// Sends a message to a connection that requested it.
    private mutating func offer(
        _ place: VenueTimeline.Place, only topic: VenueTopic?, _ timeline: VenueTimeline,
        _ connection: inout VenueConnection, _ budget: inout (messages: Int, bytes: Int)
    ) {
        guard case .data(let topics) = market.parts[place.index] else { return }
        if let topic {
            // What others of its topics had sent already is not sent again.
            guard topics.contains(topic), !topics.contains(where: { $0 != topic && connection.topics.contains($0) })
            else { return }
        } else {
            guard topics.contains(where: connection.topics.contains) else { return }
        }
        if market.tradeMessages[place.index] != nil {
            connection.trades += 1
            if connection.faults.droppedTrades.contains(connection.trades - 1) { return }
        }
        let moment = VenueMoment(position: place.index + 1, shift: timeline.shift(place.round), round: place.round)
        let messages =
            connection.rules.replaced(place.index, at: moment)
            ?? [message(place.index, topics[0].symbol, place.round, timeline)]
        for bytes in messages {
            budget.messages -= 1
            budget.bytes -= bytes.count
            sendRecorded(bytes, &connection)
        }
    }

    /// A message as it is in a round: its times and its trades' numbers moved.
    func message(_ index: Int, _ symbol: String, _ round: Int, _ timeline: VenueTimeline?) -> [UInt8] {
        let (recorded, seconds) = (market.session.messages[index], timeline?.shift(round) ?? 0)
        let moved = venue.rules.moved(recorded, bySeconds: seconds) ?? market.shift.moved(recorded, bySeconds: seconds)
        // Members of other messages may have the same names.
        guard settings.times == .now, round > 0, hasTrades(index) else { return moved }
        return venue.rules.renumbered(
            moved, market.numbering, symbol: symbol, kind: market.tradeMessages[index] ?? "", round: round)
    }

    private func hasTrades(_ index: Int) -> Bool {
        market.tradeMessages[index] != nil || market.oldTradeMessages.contains(index)
            || venue.rules.repeatsTrade(market.session.messages[index])
    }

    mutating func sendRecorded(_ bytes: [UInt8], _ connection: inout VenueConnection) {
        guard !connection.isSilent, !connection.isOver else { return }
        connection.played += 1
        connection.hasSentData = true
        let framed = connection.rules.frame(bytes)
        actions.append(.send(connection: connection.number, connection.rules.stamp(framed)))
        if connection.played >= connection.faults.dataBeforeAnswer {
            for answer in connection.heldAnswers {
                actions.append(.send(connection: connection.number, connection.rules.stamp(Array(answer.utf8))))
            }
            connection.heldAnswers = []
        }
        if connection.played == connection.faults.cutAfter {
            connection.isOver = true
            actions.append(.cut(connection: connection.number))
            note(.kicked(connection: connection.number, reason: "cut, as set"))
        }
    }
}
