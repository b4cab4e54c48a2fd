public import StreamCore

/// A server in memory, for previews and tests of what shows a consultation: it supports the whole protocol, because it
/// is the server's own machine, with an answer that is always the same and times that are known.
///
/// ```swift
/// let session = ConsultationSession(transport: SimulatedConsultation(clock: clock), clock: clock)
/// ```
@MainActor
public final class SimulatedConsultation: ConsultationTransport {
    public struct Timing: Sendable, Hashable {
        /// Seconds until a socket opens.
        public var connecting = 0.5
        /// Seconds until an answer begins.
        public var reply = 1.0
        /// Seconds between two words.
        public var word = 0.1

        public init() {}
    }

    /// The answer to every question.
    public nonisolated static let sentence =
        "I understand you want to reach your goal. Let's create a plan that works for you!"

    private enum ScheduledStep {
        case opens(SocketNumber)
        case refuses(SocketNumber, status: Int)
        case arrives(SocketNumber, [UInt8])
        case says(answer: String, words: ArraySlice<String>)
        case closes(SocketNumber, WebSocketCloseCode)
    }

    public var onEvent: ((ConsultationTransportEvent) -> Void)?
    /// Handshakes that are still to be refused, each with its status.
    public var refusals: [Int] = []

    private let clock: ConsultationClock
    private let timing: Timing
    private let words: [String]
    private let template: ToolCall?
    private var machine: ConversationMachine
    private var allowances = UserAllowances()
    private var sockets: Set<SocketNumber> = []
    /// In the order they happen.
    private var schedule: [(time: Double, what: ScheduledStep)] = []
    private var timer: Task<Void, Never>?
    private var timerAt = Double.infinity

    /// - Parameters:
    ///   - clock: the session's.
    ///   - sentence: what is answered.
    ///   - template: made with each answer; `nil`: none.
    public init(
        clock: ConsultationClock = .system, sentence: String = SimulatedConsultation.sentence,
        template: ToolCall? = nil, timing: Timing = Timing()
    ) {
        self.clock = clock
        self.timing = timing
        self.template = template
        words = WordPieces.split(sentence)
        machine = ConversationMachine(id: "simulated", user: "you", kind: "general", now: clock.epoch + clock.now())
        performActions()
    }

    // MARK: The transport

    public func open(_ socket: SocketNumber, token: String?) {
        if let status = refusals.first {
            refusals.removeFirst()
            add(.refuses(socket, status: status), after: timing.connecting)
        } else {
            add(.opens(socket), after: timing.connecting)
        }
        sockets.insert(socket)
    }

    public func send(_ frame: [UInt8], on socket: SocketNumber) {
        guard sockets.contains(socket) else { return }
        frame.withUnsafeBytes {
            machine.received($0, from: ClientNumber(rawValue: socket.rawValue), allowances: &allowances, now: time)
        }
        performActions()
    }

    public func close(_ socket: SocketNumber, _ code: WebSocketCloseCode, reason: String) { drop(socket) }

    public func drop(_ socket: SocketNumber) {
        sockets.remove(socket)
        machine.detach(ClientNumber(rawValue: socket.rawValue), now: time)
    }

    // MARK: Faults

    /// Ends every connection, as a network does. The answer under way goes on.
    public func cut() {
        for socket in sockets {
            machine.detach(ClientNumber(rawValue: socket.rawValue), now: time)
            add(.closes(socket, .abnormal), after: 0)
        }
        schedule.removeAll { if case .arrives = $0.what { true } else { false } }
    }

    // MARK: What happens

    private var time: Double { clock.epoch + clock.now() }

    private func add(_ what: ScheduledStep, after delay: Double) { add(what, at: clock.now() + delay) }

    private func add(_ what: ScheduledStep, at time: Double) {
        let index = schedule.firstIndex { $0.time > time } ?? schedule.endIndex
        schedule.insert((time, what), at: index)
        setTimer()
    }

    private func performActions() {
        while case let actions = machine.drainActions(), !actions.isEmpty {
            for action in actions {
                switch action {
                case .persist(let entry): machine.persisted(through: entry.number, now: time)
                case .send(let client, let frame):
                    add(.arrives(SocketNumber(rawValue: client.rawValue), frame), after: 0)
                    machine.wrote(client, bytes: frame.count, now: time)
                // Its client sends `sync`.
                case .sendConfirmed: break
                case .close(let client, let code, _):
                    add(.closes(SocketNumber(rawValue: client.rawValue), code), after: 0)
                case .generate(let request): add(.says(answer: request.answer, words: words[...]), after: timing.reply)
                case .stop(let answer):
                    schedule.removeAll { if case .says(answer, _) = $0.what { true } else { false } }
                }
            }
        }
        setTimer()
    }

    /// - Parameter due: when it was to happen, so that times do not drift where a timer is late.
    private func perform(_ what: ScheduledStep, due: Double) {
        switch what {
        case .opens(let socket):
            guard sockets.contains(socket) else { return }
            machine.attach(ClientNumber(rawValue: socket.rawValue), now: time)
            onEvent?(.opened(socket))
        case .refuses(let socket, let status):
            if sockets.remove(socket) != nil { onEvent?(.refused(socket, status: status, retryAfter: nil)) }
        case .arrives(let socket, let frame): if sockets.contains(socket) { onEvent?(.text(socket, frame)) }
        case .closes(let socket, let code):
            guard sockets.remove(socket) != nil else { return }
            onEvent?(.closed(socket, code, reason: "", detectedHere: false))
        case .says(let answer, let words):
            if let word = words.first {
                machine.generated(.text(word), for: answer, now: time)
                add(.says(answer: answer, words: words.dropFirst()), at: due + (words.count > 1 ? timing.word : 0))
            } else {
                if let template { machine.generated(.toolCall(template), for: answer, now: time) }
                machine.generated(.end(ModelUsage()), for: answer, now: time)
            }
        }
        performActions()
    }

    private func setTimer() {
        let machineAt = machine.deadline.map { $0 - clock.epoch } ?? .infinity
        let next = min(schedule.first?.time ?? .infinity, machineAt)
        guard next < timerAt else { return }
        timer?.cancel()
        timerAt = next
        timer = Task { [weak self, clock] in
            do { try await clock.sleep(next) } catch { return }
            self?.timerFired()
        }
    }

    private func timerFired() {
        timerAt = .infinity
        timer = nil
        while let first = schedule.first, first.time <= clock.now() + ConsultationClock.resolution {
            schedule.removeFirst()
            perform(first.what, due: first.time)
        }
        if let deadline = machine.deadline, deadline <= time + ConsultationClock.resolution {
            machine.timerFired(now: max(deadline, time))
        }
        performActions()
    }
}
