import Consultation
import Foundation
import NIOHTTP1
import Observation
import StreamCore
import TradingCore
import UnixSignals
import WebSocketTransport

/// Runs `candlewire consult`: everything that happens goes through one sequence.
@MainActor
final class ConsultRun {
    enum Event: Sendable {
        case changed
        case line(String)
        case inputEnded
        case signal(UnixSignal)
    }

    let service: ConsultService
    let id: String
    let account: String
    let session: ConsultationSession
    var transcript: ConsultTranscript
    /// One question, and no prompt.
    private let isOneShot: Bool
    /// The command that goes on with this consultation.
    private let later: String
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private var wasInterrupted = false
    /// What was last reported of the connection, while it is not open.
    private var reported: String?
    /// The order whose confirmation is awaited; orders that were offered once, and those decided.
    private var offered: Template?
    private var offeredOnce: Set<String> = []
    private var decided: Set<String> = []
    private var isPrompted = false

    init(
        service: ConsultService, id: String, account: String, tokenFile: String?, headers: [String: String],
        writesJSON: Bool,
        isOneShot: Bool, later: String, reconnectBase: Double, reconnectAttempts: Int
    ) throws {
        self.service = service
        self.id = id
        self.account = account
        self.isOneShot = isOneShot
        self.later = later
        transcript = ConsultTranscript(surface: .standardOutput, writesJSON: writesJSON, isOneShot: isOneShot)
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        var configuration = ConsultationConfiguration()
        configuration.connection.backoff.base = reconnectBase
        configuration.connection.backoff.cap = 30 * min(1, reconnectBase)
        configuration.connection.backoff.attempts = reconnectAttempts
        // A person waits for it.
        configuration.answerTimeout = 60
        let held = Held(try ServerOptions.token(tokenFile))
        let source: ConsultationSession.TokenSource = { wasRejected in
            // The file may hold a newer one by now.
            guard wasRejected else { return held.token }
            guard let newer = try? ServerOptions.token(tokenFile), newer != held.token else { return nil }
            held.token = newer
            return newer
        }
        session = ConsultationSession(
            configuration,
            transport: WebSocketConsultationTransport(
                url: service.socket(id), headers: HTTPHeaders(headers.map { ($0, $1) })),
            tokens: held.token == nil ? nil : source)
    }

    @MainActor
    private final class Held {
        var token: String?
        init(_ token: String?) { self.token = token }
    }

    /// - Parameter question: the question; `nil`: a conversation, until the user leaves.
    /// - Returns: the exit code.
    func run(question: String?, isResumed: Bool) async throws -> Int32 {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let watcher = Task { [continuation] in for await signal in signals { continuation.yield(.signal(signal)) } }
        defer { watcher.cancel() }
        session.connect()
        observe()
        defer { session.disconnect() }
        if let question { return try await answer(question, isResumed) }
        return try await converse(isResumed)
    }

    private func observe() {
        withObservationTracking {
            _ = (session.messages, session.state, session.connectionError)
        } onChange: { [weak self] in
            Task { @MainActor [weak self] in
                self?.continuation.yield(.changed)
                self?.observe()
            }
        }
    }

    // MARK: One question

    private func answer(_ question: String, _ isResumed: Bool) async throws -> Int32 {
        // Earlier messages are not part of the answer.
        let known = isResumed ? Set(try await service.messages(id, limit: 100).map(\.messageId)) : []
        let sent = try send(question)
        for await event in events {
            switch event {
            case .signal(.sigterm): return 143
            case .signal:
                guard !wasInterrupted else { return 130 }
                wasInterrupted = true
                session.cancel(sent)
                continue
            case .line, .inputEnded, .changed: break
            }
            try checkConnection()
            if case .failed = session.state {
                throw CommandFailure(69, session.connectionError ?? "Could not reconnect.")
            }
            let messages = session.messages.filter { !known.contains($0.id) }
            guard Console.write(transcript.additions(messages)) else { return 0 }
            Self.write(transcript.drainNotes())
            guard let place = messages.firstIndex(where: { $0.id == sent }) else { continue }
            if case .failed(let reason) = messages[place].state {
                // A consultation without a question is not kept; a server that has not answered may have the question.
                if !isResumed, messages[place].state != .unacknowledged { try? await service.delete(id) }
                throw CommandFailure(75, "The message was not accepted: \(reason)")
            }
            if let end = messages[place...].last(where: { $0.role == .assistant && !$0.isStreaming })?.state {
                return end == .complete ? 0 : wasInterrupted ? 130 : 1
            }
        }
        return 1
    }

    private func send(_ text: String) throws -> String {
        do throws(ConsultationSendError) {
            let id = try session.send(text)
            transcript.own.insert(id)
            return id
        } catch {
            throw CommandFailure.usage(error.description)
        }
    }

    // MARK: A conversation

    private func converse(_ isResumed: Bool) async throws -> Int32 {
        Self.write(
            "Consultation \(id). /help lists the commands.\n"
                + (isResumed ? "" : "Later: \(later)\n"))
        readLines()
        for await event in events {
            switch event {
            case .changed: break
            case .signal(.sigterm): return leave(143)
            case .inputEnded: return leave(0)
            case .signal:
                if wasInterrupted { return leave(130) }
                wasInterrupted = true
                if !stop() { Self.write("\n(Ctrl-C once more leaves)\n") }
            case .line(let line):
                (wasInterrupted, isPrompted) = (false, false)
                guard try await handle(ConsultLine(line)) else { return leave(0) }
            }
            try checkConnection()
            guard Console.write(transcript.additions(session.messages)) else { return 0 }
            offerOrder()
            prompt()
        }
        return 0
    }

    private func leave(_ code: Int32) -> Int32 {
        if session.messages.contains(where: \.isStreaming) {
            Self.write("\nThe server completes the answer; \(later) shows it.\n")
        }
        return code
    }

    /// Reads on a thread of its own: reading a line cannot be cancelled.
    private func readLines() {
        let continuation = continuation
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(.line(line)) }
            continuation.yield(.inputEnded)
        }
    }

    private func prompt() {
        // The last message waits for its answer.
        let isBusy = session.messages.contains(where: \.isStreaming) || session.messages.last.map(isAwaited) ?? false
        guard !isPrompted, !isBusy, session.isConnected, offered == nil else { return }
        isPrompted = true
        Self.write("> ")
    }

    private func isAwaited(_ message: ChatMessage) -> Bool { message.state == .pending || message.state == .sent }

    /// - Returns: `false` where nothing is being answered.
    private func stop() -> Bool {
        let last = session.messages.last(where: \.isStreaming) ?? session.messages.last
        guard let last, last.isStreaming || isAwaited(last) else { return false }
        session.cancel(last.id)
        if !session.isConnected { Self.write("(stopped as soon as the connection is back)\n") }
        return true
    }

    private func handle(_ line: ConsultLine) async throws -> Bool {
        if let template = offered {
            offered = nil
            if case .message(let text) = line {
                let approves = ["y": true, "yes": true, "n": false, "no": false]
                if let approve = approves[text.trimmingCharacters(in: .whitespaces).lowercased()] {
                    await decide(template.id, approve: approve)
                    return true
                }
                Self.write("(the order stays proposed; /approve places it)\n")
            }
        }
        switch line {
        case .empty: break
        case .message(let text): say(text)
        case .stop: if !stop() { Self.write("Nothing is being answered.\n") }
        case .retry: retry()
        case .help: Console.write(ConsultLine.commands)
        case .quit: return false
        case .history(let count): await reportingErrors { try await history(count) }
        case .export(let format, let file): await reportingErrors { try await export(format, file) }
        case .decide(let approve, let template): await decide(template ?? open.last?.id, approve: approve)
        case .wrong(let sentence): Self.write(sentence + "\n")
        }
        return true
    }

    private func say(_ text: String) {
        // Earlier proposals are not offered again; /approve accepts them.
        offeredOnce.formUnion(open.map(\.id))
        do throws(ConsultationSendError) {
            transcript.own.insert(try session.send(text))
            if case .failed = session.state { session.reconnect() }
        } catch {
            Self.write(error.description + "\n")
        }
    }

    private func retry() {
        let failed = session.messages.last { if $0.role == .user, case .failed = $0.state { true } else { false } }
        guard let again = failed ?? session.messages.last(where: { $0.role == .assistant }), !again.isStreaming else {
            return Self.write("There is nothing to send or request again.\n")
        }
        session.retry(again.id)
    }

    // MARK: Orders

    /// Proposals without a decision.
    private var open: [Template] {
        session.messages.compactMap(\.template).filter {
            $0.kind == .orderProposal && $0.fields["decision"] == nil && !decided.contains($0.id)
        }
    }

    private func offerOrder() {
        guard offered == nil, !transcript.own.isEmpty, !session.messages.contains(where: \.isStreaming),
            let template = open.last(where: { !offeredOnce.contains($0.id) })
        else { return }
        offered = template
        offeredOnce.insert(template.id)
        Self.write("Place this paper order? [y/n] ")
    }

    private func decide(_ template: String?, approve: Bool) async {
        guard let template else { return Self.write("No order is proposed.\n") }
        await reportingErrors {
            let answer = try await service.decide(id, template: template, approve: approve, account: account)
            decided.insert(template)
            guard approve else { return Self.write("(declined)\n") }
            let order = try answer.decoded(Order<Paper>.self, names: .useDefaultKeys)
            Console.write(TradingTables.orders([order]))
        }
    }

    // MARK: What is read over REST

    private func history(_ count: Int) async throws {
        for message in try await service.messages(id, limit: count) {
            let end = message.end.map { $0 == "completed" ? "" : " (\($0))" } ?? ""
            Console.write(
                "\(TimeText.utc(message.timestamp)) \(TextTable.printable(message.role + end)): "
                    + ConsultTranscript.safe(message.content) + "\n")
        }
    }

    private func export(_ format: String, _ file: String?) async throws {
        let file = file ?? "consultation-\(id).\(format == "json" ? "json" : "md")"
        let data = try await service.export(id, format: format)
        do { try data.write(to: URL(fileURLWithPath: file), options: .withoutOverwriting) } catch {
            throw CommandFailure(73, "\(file) cannot be written, or is there already.")
        }
        Self.write("Saved as \(file).\n")
    }

    /// What goes wrong ends the command and not the conversation.
    private func reportingErrors(_ body: () async throws -> Void) async {
        do { try await body() } catch {
            let sentence = (error as? CommandFailure)?.sentence() ?? NetworkFailure(error).words
            Self.write("Error: \(ConsultTranscript.safe(sentence))\n")
        }
    }

    // MARK: The connection

    /// Says what becomes of the connection, each thing once.
    private func checkConnection() throws {
        switch session.state {
        case .failed(let failure):
            let sentence = session.connectionError ?? "Could not reconnect."
            if case .attemptsExhausted = failure, reported != sentence, !isOneShot {
                reported = sentence
                Self.write("\n(\(sentence); a message tries again)\n")
            }
            let code: Int32? =
                switch failure {
                case .unauthorized: 77
                case .refused(let status): status == 404 ? 66 : status == 401 || status == 403 ? 77 : 69
                case .closeCode(let code, _): code.rawValue == 4104 ? 66 : 77
                case .attemptsExhausted: nil
                }
            if let code { throw CommandFailure(code, sentence) }
        case .waiting where reported == nil:
            reported = "lost"
            Self.write("\n(the connection is lost; trying again)\n")
        case .open where reported != nil:
            reported = nil
            Self.write("(connected again)\n")
        case .waiting, .open, .idle, .connecting, .authenticating, .closed: break
        }
    }

    /// Beside the conversation: who pipes it elsewhere sees this all the same.
    private static func write(_ text: String) { Console.writeError(text) }
}
