import Consultation
import StreamCore

/// A conversation's server side with a disk that writes when a test says so, and clients that keep what they are sent.
struct ServerStage {
    static let start = 1_700_000_000.0
    var machine: ConversationMachine
    var allowances = UserAllowances()
    var now = ServerStage.start
    /// What is on disk.
    var disk: [ConversationEntry] = []
    /// What waits for it.
    var waiting: [ConversationEntry] = []
    /// Writes at once.
    var isQuick = true
    /// Sockets take what they get.
    var isReading = true
    /// Clients that do not answer pings; the others do as soon as they come.
    var silent: Set<Int> = []
    var received: [Int: [Envelope]] = [:]
    var frames: [Int: [[UInt8]]] = [:]
    var requests: [AnswerRequest] = []
    var stopped: [String] = []
    var closed: [Int: WebSocketCloseCode] = [:]

    init(settings: ConversationSettings = .init(), id: String = "c1") {
        machine = ConversationMachine(id: id, user: "anna", kind: "nutrition", settings: settings, now: now)
        runUntilIdle()
    }

    /// The process dies, and another one reads the disk.
    mutating func restart(settings: ConversationSettings = .init()) throws {
        waiting = []
        machine = try ConversationMachine(id: machine.id, restoring: disk, settings: settings, now: now)
        runUntilIdle()
    }

    mutating func runUntilIdle() {
        while true {
            let actions = machine.drainActions()
            guard !actions.isEmpty else { return }
            for action in actions {
                switch action {
                case .persist(let entry): waiting.append(entry)
                case .send(let client, let frame):
                    frames[client.rawValue, default: []].append(frame)
                    received[client.rawValue, default: []].append(try! frame.envelope())
                    if isReading { machine.wrote(client, bytes: frame.count, now: now) }
                case .sendConfirmed(let client, let frame, let ping):
                    if !frame.isEmpty {
                        frames[client.rawValue, default: []].append(frame)
                        received[client.rawValue, default: []].append(try! frame.envelope())
                        if isReading { machine.wrote(client, bytes: frame.count, now: now) }
                    }
                    if !silent.contains(client.rawValue) { machine.confirmed(client, ping: ping, now: now) }
                case .close(let client, let code, _): closed[client.rawValue] = code
                case .generate(let request): requests.append(request)
                case .stop(let answer): stopped.append(answer)
                }
            }
            if isQuick { write() }
        }
    }

    /// Everything that waits gets to the disk.
    mutating func write() {
        disk += waiting
        waiting = []
        if let last = disk.last { machine.persisted(through: last.number, now: now) }
        if !isQuick { runUntilIdle() }
    }

    /// - Parameter name: of a client that may be one of the original protocol.
    mutating func attach(_ client: Int, name: String? = nil) {
        machine.attach(ClientNumber(rawValue: client), name: name, now: now)
        runUntilIdle()
    }

    mutating func detach(_ client: Int, isFinal: Bool = false) {
        machine.detach(ClientNumber(rawValue: client), isFinal: isFinal, now: now)
        runUntilIdle()
    }

    mutating func say(_ client: Int, _ envelope: Envelope) { say(client, envelope.bytes) }

    mutating func say(_ client: Int, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes {
            machine.received($0, from: ClientNumber(rawValue: client), allowances: &allowances, now: now)
        }
        runUntilIdle()
    }

    mutating func sendMessage(_ client: Int, _ id: String, _ text: String) {
        say(client, Envelope(.userMessage, content: text, messageID: id, timestamp: now))
    }

    mutating func model(_ events: ModelEvent...) {
        guard let answer = requests.last?.answer else { return }
        for event in events { machine.generated(event, for: answer, now: now) }
        runUntilIdle()
    }

    mutating func pass(_ seconds: Double) {
        let end = now + seconds
        while let deadline = machine.deadline, deadline <= end {
            now = max(now, deadline)
            machine.timerFired(now: now)
            runUntilIdle()
        }
        now = end
    }

    /// What a client was sent since the last look, as `type` or `type:content`.
    mutating func look(_ client: Int) -> [String] {
        defer { received[client] = [] }
        return (received[client] ?? []).map { envelope in
            envelope.content.map { "\(envelope.type.name):\($0)" } ?? envelope.type.name
        }
    }
}
