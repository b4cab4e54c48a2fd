import Consultation
import StreamCore
import TestKit

/// One conversation with everything around it: a server with a disk and a model, two clients, and lines between them that
/// are slow and break. Driven by a seed.
struct ConsultationWorld {
    struct Line {
        var socket: SocketNumber
        var client: ClientNumber
        var up: [[UInt8]] = []
        var down: [[UInt8]] = []
    }

    struct Tab {
        var client: ConsultationClient
        var line: Line?
        /// A socket that is to be opened.
        var opening: SocketNumber?
        /// Where this one is kept; `nil`: nowhere.
        var device: WorldDevice?
    }

    static let epoch = 1_700_000_000.0
    var random: SeededGenerator
    var now = 0.0
    var server: ConversationMachine
    var allowances = UserAllowances(rate: 1000, burst: 1000)
    var disk: [ConversationEntry] = []
    var waiting: [ConversationEntry] = []
    var tabs: [Tab] = []
    /// Answers under way in the model.
    var models: [String: Int] = [:]
    /// All that the model said, and whether to its end.
    var said: [String: (text: String, isWhole: Bool)] = [:]
    var lines = 0
    var cuts = 0
    var restarts = 0
    var cancels = 0
    var questions = 0
    var proposals = 0
    var decisions = 0
    /// Questions that were to replace earlier ones.
    var edits = 0
    /// Those of them that came too late: the other tab had replaced the same one.
    var lateEdits: Set<String> = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        server = ConversationMachine(id: "c", user: "anna", kind: "nutrition", now: Self.epoch)
        for number in 0..<2 {
            var configuration = ConsultationConfiguration()
            configuration.connection.backoff.attempts = 1000
            var client = ConsultationClient(configuration, epoch: Self.epoch, seed: seed &* 31 &+ UInt64(number))
            client.connect(now: 0)
            tabs.append(Tab(client: client))
        }
        runUntilIdle()
    }

    func chance(_ probability: Double, _ random: inout SeededGenerator) -> Bool { random.unit() < probability }

    mutating func runUntilIdle() {
        var isBusy = true
        while isBusy {
            isBusy = false
            for action in server.drainActions() {
                isBusy = true
                switch action {
                case .persist(let entry): waiting.append(entry)
                case .send(let client, let frame):
                    if let tab = tabs.firstIndex(where: { $0.line?.client == client }) {
                        tabs[tab].line?.down.append(frame)
                    }
                case .sendConfirmed: fatalError("no client here is of the original protocol")
                case .close(let client, _, _):
                    if let tab = tabs.firstIndex(where: { $0.line?.client == client }) { cut(tab, tellsServer: false) }
                case .generate(let request):
                    models[request.answer] = 1 + Int(random.next() % 40)
                    said[request.answer] = ("", false)
                case .stop(let answer): models[answer] = nil
                }
            }
            for index in tabs.indices {
                keep(index)
                while let action = tabs[index].client.nextAction() {
                    isBusy = true
                    switch action {
                    case .open(let socket): tabs[index].opening = socket
                    case .send(let socket, let frame):
                        if tabs[index].line?.socket == socket { tabs[index].line?.up.append(frame) }
                    case .close(let socket, _, _), .drop(let socket):
                        if tabs[index].opening == socket { tabs[index].opening = nil }
                        if let line = tabs[index].line, line.socket == socket {
                            tabs[index].line = nil
                            server.detach(line.client, now: Self.epoch + now)
                        }
                    case .fetchToken, .loginNeeded: break
                    }
                }
            }
        }
    }

    // MARK: What may happen

    mutating func open(_ tab: Int) {
        guard let socket = tabs[tab].opening else { return }
        tabs[tab].opening = nil
        lines += 1
        let number = ClientNumber(rawValue: lines)
        tabs[tab].line = Line(socket: socket, client: number)
        server.attach(number, now: Self.epoch + now)
        tabs[tab].client.opened(socket, now: now)
    }

    /// The line breaks, with what is on it.
    mutating func cut(_ tab: Int, tellsServer: Bool = true) {
        guard let line = tabs[tab].line else { return }
        cuts += 1
        tabs[tab].line = nil
        if tellsServer { server.detach(line.client, now: Self.epoch + now) }
        tabs[tab].client.closed(line.socket, code: .abnormal, reason: "", now: now)
    }

    mutating func restart() throws {
        restarts += 1
        // Of what waited for the disk some got there, and no client was notified.
        let kept = waiting.prefix(Int(random.next() % UInt64(waiting.count + 1)))
        disk += kept
        waiting = []
        models = [:]
        for tab in tabs.indices { cut(tab, tellsServer: false) }
        server =
            try disk.isEmpty
            ? ConversationMachine(id: "c", user: "anna", kind: "nutrition", now: Self.epoch + now)
            : ConversationMachine(id: "c", restoring: disk, now: Self.epoch + now)
    }

    mutating func write() {
        guard !waiting.isEmpty else { return }
        disk += waiting
        waiting = []
        server.persisted(through: disk[disk.count - 1].number, now: Self.epoch + now)
    }

    mutating func deliver(up tab: Int) {
        guard let line = tabs[tab].line, !line.up.isEmpty else { return }
        tabs[tab].line?.up.removeFirst()
        line.up[0].withUnsafeBytes {
            server.received($0, from: line.client, allowances: &allowances, now: Self.epoch + now)
        }
    }

    mutating func deliver(down tab: Int) {
        guard let line = tabs[tab].line, !line.down.isEmpty else { return }
        tabs[tab].line?.down.removeFirst()
        server.wrote(line.client, bytes: line.down[0].count, now: Self.epoch + now)
        line.down[0].withUnsafeBytes { tabs[tab].client.received($0, on: line.socket, now: now) }
    }

    mutating func speak() {
        guard let answer = models.keys.sorted().first, let left = models[answer] else { return }
        if left == 0 {
            models[answer] = nil
            said[answer]?.isWhole = true
            server.generated(.end(ModelUsage()), for: answer, now: Self.epoch + now)
            return
        }
        models[answer] = left - 1
        if chance(0.03, &random) {
            proposals += 1
            server.generated(.toolCall(Self.proposal), for: answer, now: Self.epoch + now)
            return
        }
        let word = ["one ", "zwei ", "trois\n", "\u{56DB}", "\u{1F600} ", "e\u{301}"][Int(random.next() % 6)]
        said[answer]?.text += word
        server.generated(.text(word), for: answer, now: Self.epoch + now)
    }

    private static let proposal = ToolCall(
        name: "create_order_proposal",
        arguments: ["name": "Buy", "symbol": "BTC-USD", "side": "buy", "order_type": "market", "quantity": "0.1"])

    /// The user decides about a proposal that a tab shows.
    mutating func decide(_ tab: Int) {
        let open = tabs[tab].client.messages.compactMap(\.template).filter { $0.decision == nil }
        guard let template = open.last, server.proposal(template.id)?.template?.decision == nil else { return }
        decisions += 1
        server.decide(
            template.id, decisions % 2 == 0 ? .declined : .approved(order: "paper-main-o\(decisions)"),
            now: Self.epoch + now)
    }

    mutating func sendQuestion(_ tab: Int) {
        var details = MessageDetails()
        let sent = tabs[tab].client.messages.filter { $0.role == .user && $0.state == .sent && !$0.isSuperseded }
        if chance(0.25, &random), let edited = sent.suffix(3).first { details.edits = edited.id }
        // One that has too many waiting may not.
        guard (try? tabs[tab].write("question \(questions + 1)", details, now: now)) != nil else { return }
        questions += 1
        if details.edits != nil { edits += 1 }
    }

    mutating func stop(_ tab: Int) {
        guard let answer = tabs[tab].client.messages.last(where: \.isStreaming) else { return }
        cancels += 1
        tabs[tab].client.cancel(answer.id, now: now)
    }

    mutating func pass(_ seconds: Double) {
        now += seconds
        if let deadline = server.deadline, deadline <= Self.epoch + now { server.timerFired(now: Self.epoch + now) }
        for tab in tabs.indices {
            if let deadline = tabs[tab].client.deadline, deadline <= now { tabs[tab].client.timerFired(now: now) }
        }
    }

    /// One thing happens.
    mutating func step(cutChance: Double, restartChance: Double) throws {
        let tab = Int(random.next() % 2)
        let draw = random.unit()
        switch draw {
        case ..<cutChance: cut(tab)
        case ..<(cutChance + restartChance): try restart()
        default:
            switch random.next() % 12 {
            case 0, 1: write()
            case 2, 3: deliver(up: tab)
            case 4, 5, 6: deliver(down: tab)
            case 7, 8: speak()
            case 9: open(tab)
            case 10 where chance(0.15, &random): sendQuestion(tab)
            case 11 where chance(0.2, &random): stop(tab)
            case 11 where chance(0.1, &random): decide(tab)
            default: pass(random.unit() * 0.5)
            }
        }
        runUntilIdle()
    }

    /// Nothing breaks any more, until nothing happens any more.
    mutating func calm() {
        for round in 0..<4_000 {
            for tab in tabs.indices {
                open(tab)
                runUntilIdle()
                while tabs[tab].line?.up.isEmpty == false {
                    deliver(up: tab)
                    runUntilIdle()
                }
            }
            write()
            speak()
            runUntilIdle()
            for tab in tabs.indices {
                while tabs[tab].line?.down.isEmpty == false {
                    deliver(down: tab)
                    runUntilIdle()
                }
                // Those that were given up while the line was down.
                for message in tabs[tab].client.messages where message.role == .user {
                    guard case .failed(let reason) = message.state else { continue }
                    if reason.contains("replaced that one already") {
                        lateEdits.insert(message.id)
                    } else {
                        tabs[tab].client.retry(message.id, now: now)
                    }
                }
            }
            pass(0.3)
            runUntilIdle()
            if round > 600, models.isEmpty { return }
        }
    }
}
