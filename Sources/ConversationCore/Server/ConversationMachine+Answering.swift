extension ConversationMachine {
    /// Applies a part of the answer under way. Ignored for answers that are over.
    public mutating func apply(_ event: AnswerEvent, to answer: String, now: Double) {
        guard let streaming = transcript.streaming, transcript.messages[streaming].id == answer else { return }
        silentAt = now + settings.silence
        switch event {
        case .text(let text): append(text, to: streaming, now: now)
        case .template(var template):
            made += 1
            template.id = "\(answer)-t\(made)"
            record(.template(id: "\(answer)-m\(made)", template), now: now)
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

    /// How an answer that its model ended has ended for the user: an empty one has failed, so that the user may repeat the question,
    /// and its text mentions the cards that could not be made.
    private mutating func outcome(of streaming: Int, _ usage: ModelUsage, now: Double) -> AnswerEnd {
        if usage.finishReason == "length" { return .failed("The model reached its length limit.") }
        let text = transcript.messages[streaming].text
        let isEmpty = made == 0 && text.isBlank
        guard let refusal = refusals.sentence else {
            return isEmpty ? .failed("The model answered nothing.") : .completed
        }
        let note = (text.isEmpty ? "" : "\n\n") + "(\(refusal))"
        guard !isEmpty, text.utf8.count + note.utf8.count <= settings.maxAnswerLength else { return .failed(refusal) }
        append(note, to: streaming, now: now)
        return .completed
    }

    private mutating func append(_ text: String, to streaming: Int, now: Double) {
        guard !text.isEmpty else { return }
        guard transcript.messages[streaming].text.utf8.count + text.utf8.count <= settings.maxAnswerLength else {
            return fail("The answer was longer than \(settings.maxAnswerLength) bytes.", now: now)
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
        (made, refusals) = (0, CardRefusals())
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
        // A question that is repeated comes last.
        if context.last?.role != .user, let repeated = transcript.message(question) {
            context.append(ModelMessage(.user, repeated.text))
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

    /// Ends the answer under way, and begins the next one if a question waits.
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

extension ConversationMachine {
    /// The message with an order proposal, by its template's id; `nil` where no client was sent one.
    public func proposal(_ template: String) -> Transcript.Message? {
        guard let index = transcript.proposal(template), transcript.places[index].beginning < visible else {
            return nil
        }
        return transcript.messages[index]
    }

    /// Records the decision of the user about a proposal; every client gets it when it is on disk. Nothing where there is no
    /// such proposal, or where it is decided already.
    public mutating func decide(_ template: String, _ decision: ProposalDecision, now: Double) {
        guard let proposal = proposal(template)?.template, proposal.decision == nil else { return }
        record(.decided(template: template, decision), now: now)
        pump(now: now)
    }
}

/// The cards that could not be made in one answer, in a sentence for the user.
struct CardRefusals: Sendable, Hashable {
    private var count = 0
    private var reasons: [String] = []

    /// The reasons in the sentence.
    static let maxReasons = 3

    /// - Parameter reason: a sentence.
    mutating func add(_ reason: String) {
        count += 1
        if reasons.count < Self.maxReasons, !reasons.contains(reason) { reasons.append(reason) }
    }

    /// `nil` where nothing was refused.
    var sentence: String? {
        guard count > 0 else { return nil }
        let what = count == 1 ? "A card could not be made." : "\(count) cards could not be made."
        return ([what] + reasons).joined(separator: " ")
    }
}
