import Consultation
import StreamCore

/// What of a conversation stands on the terminal, and what comes next: words as they arrive, each message once.
struct ConsultTranscript {
    /// What a terminal shows of a message.
    private struct Shown {
        var text = ""
        var isOver = false
        var hasFailed = false
    }

    private var shown: [String: Shown] = [:]
    /// Messages that the user typed here: they stand on the terminal already.
    var own: Set<String> = []
    let surface: Ink.Surface
    let writesJSON: Bool
    /// One question, one answer, no prompt: notes are no part of the text.
    let isOneShot: Bool
    private var notes = ""

    init(surface: Ink.Surface, writesJSON: Bool, isOneShot: Bool) {
        self.surface = surface
        self.writesJSON = writesJSON
        self.isOneShot = isOneShot
    }

    /// The notes since the last call.
    mutating func drainNotes() -> String {
        defer { notes = "" }
        return notes
    }

    /// What is to be written now. Whatever stands behind an answer that is still being written waits for its end.
    mutating func additions(_ messages: [ChatMessage]) -> String {
        var text = ""
        for message in messages {
            text += writesJSON ? json(message) : piece(message)
            if message.isStreaming { break }
        }
        return text
    }

    private mutating func piece(_ message: ChatMessage) -> String {
        var entry = shown[message.id] ?? Shown()
        defer { shown[message.id] = entry }
        switch message.role {
        case .user:
            if case .failed(let reason) = message.state {
                defer { entry.hasFailed = true }
                return entry.hasFailed || isOneShot ? "" : note("not sent: \(reason) /retry sends it again.")
            }
            entry.hasFailed = false
            guard message.state == .sent, !entry.isOver else { return "" }
            entry.isOver = true
            return own.contains(message.id)
                ? "" : Ink.strong.paint("You: ", on: surface) + Self.safe(message.text) + "\n"
        case .system:
            guard !entry.isOver else { return "" }
            entry.isOver = true
            return message.template.map(card) ?? Self.safe(message.text) + "\n"
        case .assistant:
            guard !entry.isOver else { return "" }
            var text = ""
            if message.text.utf8.starts(with: entry.text.utf8) {
                text += Self.safe(String(message.text.utf8.dropFirst(entry.text.utf8.count)) ?? "")
            } else if !entry.text.utf8.starts(with: message.text.utf8) {
                // Not what was shown so far: the whole once more.
                text += "\n" + note("corrected answer from the server:") + Self.safe(message.text)
            } else if entry.text.utf8.count > message.text.utf8.count {
                text += "\n" + note(Self.loss(from: entry.text, to: message.text))
            }
            entry.text = message.text
            guard !message.isStreaming else { return text }
            entry.isOver = true
            return (isOneShot && entry.text.isEmpty ? "" : text + "\n") + end(message.state)
        }
    }

    private mutating func end(_ state: ChatMessage.State) -> String {
        let again = isOneShot ? "" : " /retry requests another answer."
        return switch state {
        case .cancelled: note("stopped")
        case .interrupted: note("interrupted: the server stopped meanwhile.\(again)")
        case .failed(let reason): note("failed: \(reason)\(again)")
        case .pending, .sent, .streaming, .complete: ""
        }
    }

    /// A line for the terminal, or beside the text where only that is wanted.
    private mutating func note(_ text: String) -> String {
        let line = Ink.dim.paint("(\(Self.safe(text)))", on: isOneShot ? .standardError : surface) + "\n"
        guard isOneShot else { return line }
        notes += line
        return ""
    }

    /// Text is shown before it is on the server's disk: a crash loses the newest of it.
    private static func loss(from shown: String, to kept: String) -> String {
        guard !kept.isEmpty else { return "the server lost this answer's text" }
        let lost = shown.count - kept.count
        return "the server lost the end of this answer: \(lost) character\(lost == 1 ? "" : "s")"
    }

    /// A template as text.
    private func card(_ template: Template) -> String {
        let title = "[\(template.kind.name)] \(template.name)"
        var lines = [Ink.strong.paint(Self.safe(title), on: surface)]
        if !template.description.isEmpty { lines.append("  " + Self.safe(template.description)) }
        for (name, value) in template.fields.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(Self.safe(name)): " + Self.safe(value.text ?? value.json))
        }
        if template.kind == .orderProposal { lines.append("  id: \(Self.safe(template.id))") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Control characters could do things to a terminal; line ends may.
    static func safe(_ text: String) -> String { TextTable.printableLines(text.replacing("\r\n", with: "\n")) }

    // MARK: For programs

    /// One line for each message that is over, other than the user's.
    private mutating func json(_ message: ChatMessage) -> String {
        guard message.role != .user, !message.isStreaming, shown[message.id] == nil else { return "" }
        shown[message.id] = Shown()
        var document: [String: JSONValue] = [
            "message_id": .string(message.id), "role": .string(message.role.rawValue), "content": .string(message.text),
            "timestamp": .number(message.timestamp),
        ]
        switch message.state {
        case .cancelled: document["end"] = "cancelled"
        case .interrupted: document["end"] = "interrupted"
        case .failed(let reason):
            document["end"] = "failed"
            document["reason"] = .string(reason)
        case .complete where message.role == .assistant: document["end"] = "completed"
        case .pending, .sent, .streaming, .complete: break
        }
        if let template = message.template { document["template"] = .object(template.metadata) }
        return JSONValue.object(document).json + "\n"
    }
}
