extension ConversationMachine {
    /// What the model said. Answers that are over already are ignored.
    public mutating func generated(_ event: ModelEvent, for answer: String, now: Double) {
        guard let streaming = transcript.streaming, transcript.messages[streaming].id == answer else { return }
        silentAt = now + settings.silence
        switch event {
        case .text(let text): append(text, to: streaming, now: now)
        case .toolCall(let call):
            do {
                templates += 1
                let template = try TemplateTool.template(call, id: "\(answer)-t\(templates)")
                record(.template(id: "\(answer)-m\(templates)", template), now: now)
                made += 1
            } catch {
                counts.toolCallsRefused += 1
                refusals.add(error.description)
            }
        case .refused(let reason):
            counts.toolCallsRefused += 1
            refusals.add(reason)
        case .end(let usage):
            let outcome = outcome(of: streaming, usage, now: now)
            end(outcome, usage.isKnown ? usage : nil, now: now)
        case .failed(let reason): end(.failed(reason), now: now)
        }
        pump(now: now)
    }

    /// How an answer that its model ended has ended for the user: one that says nothing has failed, so that it is asked
    /// again, and cards that could not be made are told of in its text.
    private mutating func outcome(of streaming: Int, _ usage: ModelUsage, now: Double) -> AnswerEnd {
        if usage.finishReason == "length" { return .failed("The model reached its length limit.") }
        let text = transcript.messages[streaming].text
        let saysNothing = made == 0 && text.allSatisfy(\.isWhitespace)
        guard let refusal = refusals.sentence else {
            return saysNothing ? .failed("The model answered nothing.") : .completed
        }
        let note = (text.isEmpty ? "" : "\n\n") + "(\(refusal))"
        guard !saysNothing, text.utf8.count + note.utf8.count <= settings.longestAnswer else { return .failed(refusal) }
        append(note, to: streaming, now: now)
        return .completed
    }

    private mutating func append(_ text: String, to streaming: Int, now: Double) {
        guard !text.isEmpty else { return }
        guard transcript.messages[streaming].text.utf8.count + text.utf8.count <= settings.longestAnswer else {
            return fail("The answer was longer than \(settings.longestAnswer) bytes.", now: now)
        }
        transcript.appendAhead(text)
        unwritten += text
        if unwritten.utf8.count >= settings.flushBytes {
            flush(now: now)
        } else {
            flushAt = min(flushAt, now + settings.flushInterval)
        }
    }

    /// Begins the next answer, if there is a question on disk and none is under way.
    mutating func answerNext(now: Double) {
        guard transcript.streaming == nil, let question = transcript.unanswered else { return }
        guard let index = transcript.indexes[question.id], transcript.places[index].beginning < visible else { return }
        begin(replyTo: question.id, now: now)
    }

    mutating func begin(replyTo question: String, now: Double) {
        let answer = "\(id)-\(transcript.lastEntry + 1)"
        let request = AnswerRequest(
            conversation: id, answer: answer, user: transcript.user, kind: transcript.kind, messages: context(question),
            screen: transcript.message(question)?.details.screen)
        (templates, made, refusals) = (0, 0, CardRefusals())
        record(.answerStarted(id: answer, replyTo: question), now: now)
        silentAt = now + settings.silence
        act(.generate(request))
    }

    /// The newest messages up to the question and those after it, within the limits.
    private func context(_ question: String) -> [ModelMessage] {
        var context: [ModelMessage] = []
        var bytes = 0
        for message in transcript.messages.reversed() where !message.text.isEmpty && !message.isSuperseded {
            bytes += message.text.utf8.count
            guard context.isEmpty || bytes <= settings.contextBytes, context.count < settings.contextMessages else {
                break
            }
            context.append(ModelMessage(message.role, message.text))
        }
        context.reverse()
        // A question that is asked again is the last thing said.
        if context.last?.role != .user, let asked = transcript.message(question) {
            context.append(ModelMessage(.user, asked.text))
        }
        return context
    }

    /// Writes the text that is in no entry yet.
    mutating func flush(now: Double) {
        flushAt = .infinity
        guard !unwritten.isEmpty, let streaming = transcript.streaming else { return }
        let entry = ConversationEntry(
            number: transcript.lastEntry + 1, time: now,
            event: .answerText(id: transcript.messages[streaming].id, text: unwritten))
        unwritten = ""
        transcript.countWritten(entry)
        act(.persist(entry))
    }

    /// Ends the answer under way, and begins the next one if somebody waits.
    mutating func end(_ end: AnswerEnd, _ usage: ModelUsage? = nil, now: Double) {
        guard let streaming = transcript.streaming else { return }
        flush(now: now)
        silentAt = .infinity
        record(.answerEnded(id: transcript.messages[streaming].id, end, usage), now: now)
        answerNext(now: now)
    }

    mutating func fail(_ reason: String, now: Double) {
        guard let streaming = transcript.streaming else { return }
        act(.stop(answer: transcript.messages[streaming].id))
        end(.failed(reason), now: now)
    }

    /// Marks the answer under way as cut off.
    mutating func interrupt(now: Double) {
        guard let streaming = transcript.streaming else { return }
        flush(now: now)
        silentAt = .infinity
        record(.answerEnded(id: transcript.messages[streaming].id, .interrupted), now: now)
    }
}
