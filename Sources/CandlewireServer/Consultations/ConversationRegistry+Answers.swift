import Consultation
import Tracing

extension ConversationRegistry {
    /// Lets the model answer, in a task of its own.
    func generate(_ request: AnswerRequest, in conversation: OpenConversation, _ now: Double) {
        let user = UserKey(request.user)
        let isFull = maxAnswers.map { answers.count >= $0 } ?? false
        guard !isFull, answersOf[user, default: 0] < options.answersPerUser else {
            let limit = isFull ? answers.count : options.answersPerUser
            return conversation.machine.generated(
                .failed("\(limit) answers are under way already; ask again when one is done."),
                for: request.answer, now: now)
        }
        stop(request.answer)
        answersOf[user, default: 0] += 1
        lastRun += 1
        let (model, mailbox, run) = (model, mailbox, lastRun)
        let task = Task {
            for await event in model.answer(request) {
                mailbox.put(.model(event, run: run, answer: request.answer, conversation: request.conversation))
            }
            mailbox.put(.model(nil, run: run, answer: request.answer, conversation: request.conversation))
        }
        var answer = RunningAnswer(run: run, user: user, task: task, startedAt: now)
        answer.span = tracer?.startAnySpan("model answer", ofKind: .client)
        answer.span?.attributes["model"] = model.name
        answers[request.answer] = answer
    }

    func stop(_ answer: String) {
        guard let running = answers.removeValue(forKey: answer) else { return }
        running.task.cancel()
        if !running.isOver { end(running, .stopped, clock()) }
        free(running)
    }

    /// - Parameter run: the events of one that was stopped are ignored, whichever run has its answer's id now.
    func receiveModelEvent(_ event: ModelEvent?, _ run: Int, _ answer: String, _ id: String, _ now: Double) {
        guard let running = answers[answer], running.run == run else { return }
        time(event, running, answer, now)
        if event == nil {
            answers[answer] = nil
            free(running)
        }
        guard let conversation = conversations[id] else { return }
        if case .end(let used) = event { count(used) }
        // The end is ignored where the answer has one already.
        var event = event ?? .failed("The model stopped in the middle of its answer.")
        // Whatever the model is: a type has no other cards than its own.
        if case .toolCall(let call) = event {
            do throws(ToolCallRefusal) {
                try options.types[conversation.machine.transcript.kind].check(call)
            } catch {
                event = .refused(error.reason)
            }
        }
        conversation.machine.generated(event, for: answer, now: now)
        performActions(of: conversation, now)
    }

    /// Counts how long the model needs.
    private func time(_ event: ModelEvent?, _ running: RunningAnswer, _ answer: String, _ now: Double) {
        guard !running.isOver else { return }
        if !running.hasBegun, event != nil {
            answers[answer]?.hasBegun = true
            models.began(after: now - running.startedAt)
            running.span?.addEvent(SpanEvent(name: "first event"))
        }
        switch event {
        case .text, .toolCall, .refused: return
        case .end(let used):
            if let tokens = used.inputTokens { running.span?.attributes["input_tokens"] = tokens }
            if let tokens = used.outputTokens { running.span?.attributes["output_tokens"] = tokens }
            end(running, .answered, now)
        // Without an end it stopped in the middle.
        case .failed, nil: end(running, .failed, now)
        }
        answers[answer]?.isOver = true
    }

    private func end(_ running: RunningAnswer, _ outcome: ModelCounts.Outcome, _ now: Double) {
        models.ended(outcome, after: now - running.startedAt)
        running.span?.attributes["outcome"] = outcome.rawValue
        if outcome == .failed { running.span?.setStatus(SpanStatus(code: .error)) }
        running.span?.end()
    }

    private func free(_ running: RunningAnswer) {
        guard let count = answersOf[running.user] else { return }
        answersOf[running.user] = count > 1 ? count - 1 : nil
    }
}

extension ConversationMachine.Counts {
    mutating func add(_ other: ConversationMachine.Counts) {
        duplicates += other.duplicates
        refused += other.refused
        malformed += other.malformed
        resumed += other.resumed
        synced += other.synced
        framesOut += other.framesOut
        toolCallsRefused += other.toolCallsRefused
    }
}
