import Consultation
import HistoryStore
import StreamCore

extension ConversationRecord {
    init(_ entry: ConversationEntry) {
        self.init(number: entry.number, time: entry.time, kind: entry.kind, body: entry.json.json)
    }

    /// - Throws: where the record is not what this version writes; the conversation cannot be read past it.
    func entry() throws -> ConversationEntry { try ConversationEntry(json: try JSONValue(parsing: body)) }
}

extension ConversationAppend {
    /// Entries of a conversation, with what its row in the list says of them.
    init(_ conversation: String, _ entries: [ConversationEntry]) {
        self.init(conversation: conversation, records: entries.map { ConversationRecord($0) })
        for entry in entries {
            switch entry.event {
            case .opened(let user, let kind): opening = Opening(user: user, kind: kind)
            case .userMessage(_, let text, _):
                messages += 1
                if title == nil { title = Self.title(text) }
            case .answerStarted, .template: messages += 1
            case .answerText, .answerEnded, .decided: break
            }
        }
    }

    /// The first words of a message, on one line.
    static func title(_ text: String) -> String {
        let longest = 60
        var title = ""
        for word in text.prefix(4 * longest).split(whereSeparator: \.isWhitespace) {
            guard title.count + word.count < longest else {
                return title.isEmpty ? "\(word.prefix(longest - 1))…" : "\(title)…"
            }
            title += title.isEmpty ? String(word) : " \(word)"
        }
        return title
    }
}
