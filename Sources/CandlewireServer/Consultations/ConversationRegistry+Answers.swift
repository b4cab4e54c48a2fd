import Consultation

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
        answers[request.answer] = RunningAnswer(run: run, user: user, task: task)
    }

    func stop(_ answer: String) {
        guard let running = answers.removeValue(forKey: answer) else { return }
        running.task.cancel()
        free(running)
    }

    /// - Parameter run: the events of one that was stopped are ignored, whichever run has its answer's id now.
    func receiveModelEvent(_ event: ModelEvent?, _ run: Int, _ answer: String, _ id: String, _ now: Double) {
        guard let running = answers[answer], running.run == run else { return }
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
