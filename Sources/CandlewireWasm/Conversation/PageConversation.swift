import ConversationCore
import StreamCore

/// What the page reports to a conversation, or requests. `a` and `b` are the input's numbers, the text is in the inbox.
///
/// | input | a, b | text |
/// |---|---|---|
/// | connect, disconnect, retryNow, online, offline, dismissProblem, timer | | |
/// | token | | the token; empty: there is none |
/// | opened | socket | |
/// | refused | socket, status | |
/// | closed | socket, code | |
/// | received | socket | the frame |
/// | binary | socket, bytes | |
/// | send | characters | the message's text |
/// | details | | JSON: the `metadata` of the next message |
/// | restore | | JSON: a list of messages as `unsent` answers it |
/// | unsent | | |
/// | retry, cancel, discard | | a message's id |
/// | describe | | JSON: a list of messages as the server's history describes them |
/// | log | frames to keep | |
enum ConversationInput: Int32, CaseIterable {
    case connect, disconnect, retryNow, online, offline, dismissProblem, timer
    case token, opened, refused, closed, received, binary
    case send, details, restore, unsent, retry, cancel, discard, describe, log

    var name: StaticString {
        switch self {
        case .connect: "connect"
        case .disconnect: "disconnect"
        case .retryNow: "retryNow"
        case .online: "online"
        case .offline: "offline"
        case .dismissProblem: "dismissProblem"
        case .timer: "timer"
        case .token: "token"
        case .opened: "opened"
        case .refused: "refused"
        case .closed: "closed"
        case .received: "received"
        case .binary: "binary"
        case .send: "send"
        case .details: "details"
        case .restore: "restore"
        case .unsent: "unsent"
        case .retry: "retry"
        case .cancel: "cancel"
        case .discard: "discard"
        case .describe: "describe"
        case .log: "log"
        }
    }
}

/// The page's side of one conversation: the machine, and the memory through which the page talks to it.
///
/// Each input is answered with one JSON object: what is to be done, what has changed in the messages, and how the
/// conversation stands.
final class PageConversation {
    private var client: ConsultationClient
    /// The text of an input, where the page writes it.
    var inbox = PageBuffer<UInt8>(capacity: 4096)
    /// The answer to the last input.
    private(set) var output = PageBuffer<UInt8>(capacity: 4096)
    /// The messages as the page has them, in its order.
    private var known: [KnownMessage] = []
    /// Of the next message.
    private var details = MessageDetails()

    private struct KnownMessage {
        var id: String
        var revision: Int
        var rewrites: Int
        /// Bytes of the text.
        var bytes: Int
    }

    init(epoch: Double, seed: UInt64) {
        client = ConsultationClient(.page, epoch: epoch, seed: seed)
    }

    /// Performs an input.
    /// - Returns: the bytes of the answer.
    func perform(_ input: ConversationInput, _ a: Double, _ b: Double, _ text: UnsafeRawBufferPointer, now: Double)
        -> Int
    {
        var json: [UInt8] = []
        json.reserveCapacity(1024)
        json.raw("{")
        let socket = SocketNumber(rawValue: Int(a))
        switch input {
        case .connect: client.connect(now: now)
        case .disconnect: client.disconnect(now: now)
        case .retryNow: client.retryNow(now: now)
        case .online: client.networkChanged(isAvailable: true, now: now)
        case .offline: client.networkChanged(isAvailable: false, now: now)
        case .dismissProblem: client.dismissProblem()
        case .timer: client.timerFired(now: now)
        case .token:
            client.setToken(String(utf8: text), now: now)
            // The inbox is for whatever comes next; a secret does not stay in it.
            inbox.base.update(repeating: 0, count: text.count)
        case .opened: client.opened(socket, now: now)
        case .refused: client.refused(socket, status: Int(b), retryAfter: nil, now: now)
        case .closed:
            client.closed(socket, code: WebSocketCloseCode(rawValue: UInt16(clamping: Int(b))), reason: "", now: now)
        case .received: client.received(text, on: socket, now: now)
        case .binary: client.receivedBinary(bytes: Int(b), on: socket, now: now)
        case .send: send(String(utf8: text), characters: Int(a), into: &json, now: now)
        case .details:
            details = MessageDetails()
            if let read = try? JSONValue(parsing: text), let read = try? MessageDetails(metadata: read.members) {
                details = read
            }
        case .restore: client.restore(messages(text), now: now)
        case .unsent: json.unsent(of: &client)
        case .retry: client.retry(String(utf8: text), now: now)
        case .cancel: client.cancel(String(utf8: text), now: now)
        case .discard: client.discard(String(utf8: text))
        case .describe:
            json.raw("\"described\":[")
            let described = messages(text)
            for index in described.indices {
                if index > 0 { json.raw(",") }
                json.message(described[index], beyond: nil)
            }
            json.raw("],")
        case .log:
            client.log.limit = Int(a)
            write(client.log, into: &json)
        }
        writeMessages(into: &json)
        writeActions(into: &json)
        json.state(of: &client)
        json.raw("}")
        output.fill(json)
        return json.count
    }

    private func send(_ text: String, characters: Int, into json: inout [UInt8], now: Double) {
        defer { details = MessageDetails() }
        do throws(ConsultationSendError) {
            let id = try client.send(text, details, characters: characters, now: now)
            json.raw("\"sent\":")
            json.string(id)
        } catch {
            json.raw("\"refused\":")
            json.string(error.description)
        }
        json.raw(",")
    }

    /// A list of messages in the inbox; what is no message is left out.
    private func messages(_ text: UnsafeRawBufferPointer) -> [ChatMessage] {
        guard let elements = (try? JSONValue(parsing: text))?.elements else { return [] }
        return elements.compactMap { ChatMessage(described: $0) }
    }

    private func write(_ log: FrameLog, into json: inout [UInt8]) {
        json.raw("\"log\":[")
        for index in log.lines.indices {
            let line = log.lines[index]
            json.raw(index > 0 ? ",{\"time\":" : "{\"time\":")
            json.number(line.time)
            json.raw(line.isSent ? ",\"isSent\":true,\"bytes\":" : ",\"isSent\":false,\"bytes\":")
            json.integer(line.bytes)
            json.raw(",\"text\":")
            json.string(line.text)
            json.raw("}")
        }
        json.raw("],")
    }

    /// What has changed since the last answer: the order, where it is another one, and messages that are new or changed.
    private func writeMessages(into json: inout [UInt8]) {
        let messages = client.messages
        var isSameOrder = messages.count == known.count
        for index in messages.indices where isSameOrder { isSameOrder = messages[index].id == known[index].id }
        if !isSameOrder {
            json.raw("\"order\":[")
            for index in messages.indices {
                if index > 0 { json.raw(",") }
                json.string(messages[index].id)
            }
            json.raw("],")
        }
        var next: [KnownMessage] = []
        if !isSameOrder { next.reserveCapacity(messages.count) }
        var isFirst = true
        for index in messages.indices {
            let message = messages[index]
            let before = isSameOrder ? known[index] : known.first { $0.id == message.id }
            if before == nil || before?.revision != message.revision {
                json.raw(isFirst ? "\"messages\":[" : ",")
                isFirst = false
                json.message(message, beyond: before?.rewrites == message.rewrites ? before?.bytes : nil)
                let now = KnownMessage(
                    id: message.id, revision: message.revision, rewrites: message.rewrites,
                    bytes: message.text.utf8.count)
                if isSameOrder { known[index] = now } else { next.append(now) }
            } else if !isSameOrder, let before {
                next.append(before)
            }
        }
        if !isFirst { json.raw("],") }
        if !isSameOrder { known = next }
    }

    private func writeActions(into json: inout [UInt8]) {
        json.raw("\"actions\":[")
        var isFirst = true
        while let action = client.nextAction() {
            if !isFirst { json.raw(",") }
            isFirst = false
            switch action {
            case .open(let socket): json.action("open", socket)
            case .drop(let socket): json.action("drop", socket)
            case .send(let socket, let frame):
                json.action("send", socket)
                json.removeLast()
                json.raw(",\"frame\":")
                frame.withUnsafeBytes { json.string(utf8: $0) }
                json.raw("}")
            case .close(let socket, let code, _):
                json.action("close", socket)
                json.removeLast()
                json.raw(",\"code\":")
                json.integer(Int(code.rawValue))
                json.raw("}")
            case .fetchToken(let wasRejected):
                json.raw("{\"kind\":\"token\",\"wasRejected\":")
                json.bool(wasRejected)
                json.raw("}")
            case .loginNeeded: json.raw("{\"kind\":\"login\"}")
            }
        }
        json.raw("],")
    }
}

extension ConsultationConfiguration {
    /// How the page's conversations behave: browsers let no page set a header of the handshake.
    fileprivate static var page: ConsultationConfiguration {
        var page = ConsultationConfiguration()
        page.authentication = .firstFrame
        page.connection.heartbeat.kind = .message
        return page
    }
}

extension [UInt8] {
    /// Text that is JSON already; once in the module and not at each of its uses.
    @inline(never)
    fileprivate mutating func raw(_ text: StaticString) { json(text) }

    @inline(never)
    fileprivate mutating func member(_ name: StaticString, _ value: String) {
        raw(name)
        string(value)
    }

    @inline(never)
    fileprivate mutating func member(_ name: StaticString, _ value: Double) {
        raw(name)
        number(value)
    }

    fileprivate mutating func action(_ kind: StaticString, _ socket: SocketNumber) {
        raw("{\"kind\":\"")
        raw(kind)
        member("\",\"socket\":", socket.rawValue)
        raw("}")
    }

    /// A message; `beyond`: with only the part of its text behind this many bytes, as `more`.
    fileprivate mutating func message(_ message: ChatMessage, beyond: Int?) {
        member("{\"id\":", message.id)
        member(",\"revision\":", message.revision)
        member(",\"rewrites\":", message.rewrites)
        if let beyond {
            if beyond < message.text.utf8.count {
                raw(",\"more\":")
                // Strings of the module are all contiguous.
                message.text.utf8.withContiguousStorageIfAvailable {
                    string(utf8: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[beyond...]))
                }
            }
        } else {
            member(",\"text\":", message.text)
        }
        member(",\"role\":", message.role.rawValue)
        member(",\"time\":", message.timestamp)
        raw(",\"state\":\"")
        var reason = ""
        switch message.state {
        case .pending: raw("pending")
        case .sent: raw("sent")
        case .streaming: raw("streaming")
        case .complete: raw("complete")
        case .cancelled: raw("cancelled")
        case .interrupted: raw("interrupted")
        case .failed(let sentence):
            raw("failed")
            reason = sentence
        }
        member("\",\"reason\":", reason)
        member(",\"supersededBy\":", message.supersededBy ?? "")
        member(",\"edits\":", message.details.edits ?? "")
        raw(",\"template\":")
        if let template = message.template {
            member("{\"id\":", template.id)
            member(",\"type\":", template.kind.name)
            member(",\"name\":", template.name)
            member(",\"description\":", template.description)
            member(",\"decision\":", template.decision?.name ?? "")
            member(",\"orderID\":", template.decision?.order ?? "")
            raw(",\"fields\":")
            JSONValue.object(template.undecided.fields).write(into: &self)
            raw("}}")
        } else {
            raw("null}")
        }
    }

    /// The messages that the server has not acknowledged.
    @inline(never)
    fileprivate mutating func unsent(of client: inout ConsultationClient) {
        let messages = client.unsent
        raw("\"unsent\":[")
        for index in messages.indices {
            raw(index > 0 ? ",{\"message_id\":" : "{\"message_id\":")
            string(messages[index].id)
            member(",\"role\":\"user\",\"content\":", messages[index].text)
            member(",\"timestamp\":", messages[index].timestamp)
            if let metadata = messages[index].details.metadata {
                raw(",\"metadata\":")
                JSONValue.object(metadata).write(into: &self)
            }
            raw("}")
        }
        raw("],")
    }

    /// How a conversation stands. A number that there is not is left out.
    @inline(never)
    fileprivate mutating func state(of client: inout ConsultationClient) {
        raw("\"state\":\"")
        switch client.state {
        case .idle: raw("idle")
        case .connecting: raw("connecting")
        case .authenticating: raw("authenticating")
        case .open: raw("open")
        case .waiting: raw("waiting")
        case .failed: raw("failed")
        case .closed: raw("closed")
        }
        raw("\"")
        if let deadline = client.deadline {
            member(",\"deadline\":", deadline)
        }
        member(",\"problem\":", client.problem ?? "")
        member(",\"isTyping\":", client.isTyping)
        member(",\"isStreaming\":", client.isStreaming)
        member(",\"isAwaited\":", client.isAwaited)
        member(",\"isBusy\":", client.isBusy)
        member(",\"isGone\":", client.isGone)
        member(",\"needsLogin\":", client.needsLogin)
        member(",\"hasOlder\":", client.hasOlder)
        let seen = client.diagnostics
        raw(",\"diagnostics\":{\"isConnected\":")
        bool(seen.isConnected)
        member(",\"reconnectAttempts\":", seen.reconnectAttempts)
        member(",\"connects\":", seen.connects)
        member(",\"messageCount\":", seen.messageCount)
        member(",\"framesIn\":", seen.framesIn)
        member(",\"framesOut\":", seen.framesOut)
        member(",\"bytesIn\":", seen.bytesIn)
        member(",\"bytesOut\":", seen.bytesOut)
        member(",\"malformed\":", seen.malformed)
        member(",\"unknown\":", seen.unknown)
        member(",\"binary\":", seen.binary)
        member(",\"duplicates\":", seen.duplicates)
        member(",\"gaps\":", seen.gaps)
        member(",\"resumed\":", seen.resumed)
        member(",\"synced\":", seen.synced)
        member(",\"lastError\":", seen.lastError ?? "")
        member(",\"lastMalformed\":", seen.lastMalformed ?? "")
        if let openSince = seen.openSince {
            member(",\"openSince\":", openSince)
        }
        if let roundTrip = seen.roundTrip {
            member(",\"roundTrip\":", roundTrip)
        }
        raw("}")
    }

    @inline(never)
    private mutating func member(_ name: StaticString, _ value: Bool) {
        raw(name)
        bool(value)
    }

    @inline(never)
    private mutating func member(_ name: StaticString, _ value: Int) {
        raw(name)
        integer(value)
    }
}
