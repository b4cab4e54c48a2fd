import Consultation
import HTTPTypes
import HistoryStore
import Hummingbird
import StreamCore

/// A whole conversation as a file.
enum ConversationExport: String {
    case json, markdown

    func response(_ document: ConsultationDocument, _ messages: [JSONValue]) -> Response {
        let (bytes, type, suffix): ([UInt8], String, String) =
            switch self {
            case .json: (Self.json(document, messages), "application/json", "json")
            case .markdown: (Array(Self.markdown(document, messages).utf8), "text/markdown", "md")
            }
        var response = Response.file(bytes, type: "\(type); charset=utf-8")
        response.headers[.contentDisposition] =
            "attachment; filename=\"consultation-\(document.summary.id).\(suffix)\""
        return response
    }

    private static func json(_ document: ConsultationDocument, _ messages: [JSONValue]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.object { sink in
            sink.field("consultation", document)
            sink.list("messages", messages)
        }
        return bytes + [UInt8(ascii: "\n")]
    }

    private static func markdown(_ document: ConsultationDocument, _ messages: [JSONValue]) -> String {
        let summary = document.summary
        var text = "# \(line(summary.title ?? summary.kind))\n\n"
        text += "Consultation \(summary.id) (\(line(summary.kind))), begun \(time(summary.createdAt)).\n"
        for message in messages {
            let speaker =
                switch message["role"]?.text {
                case "user": "You"
                case "assistant": "Assistant"
                default: "Note"
                }
            text += "\n## \(speaker), \(time(message["timestamp"]?.number ?? 0))\n\n\(message["content"]?.text ?? "")\n"
            if case .bool(true) = message["superseded"] { text += "\n*(replaced by a later message)*\n" }
            if let end = message["end"]?.text, end != "completed" {
                text += "\n*(\(end)\(message["reason"]?.text.map { ": \(line($0))" } ?? ""))*\n"
            }
            if message["role"]?.text == "system", let template = message["metadata"] {
                text += "\n```json\n\(template.json)\n```\n"
            }
        }
        return text
    }

    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func time(_ seconds: Double) -> String {
        Envelope(.ping, messageID: "t", timestamp: seconds).timestampText
    }
}
