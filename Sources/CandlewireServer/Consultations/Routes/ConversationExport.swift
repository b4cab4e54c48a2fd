import Consultation
import HTTPTypes
import HistoryStore
import Hummingbird
import NIOCore
import StreamCore

/// A whole conversation as a file.
enum ConversationExport: String {
    case json, markdown

    func response(_ document: ConsultationDocument, _ messages: [JSONValue]) -> Response {
        var bytes: [UInt8] = []
        switch self {
        case .json: Self.json(document, messages, into: &bytes)
        case .markdown: bytes = Array(Self.markdown(document, messages).utf8)
        }
        let (type, suffix) = self == .json ? ("application/json", "json") : ("text/markdown", "md")
        return Response(
            status: .ok,
            headers: [
                .contentType: "\(type); charset=utf-8", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"consultation-\(document.summary.id).\(suffix)\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func json(_ document: ConsultationDocument, _ messages: [JSONValue], into sink: inout [UInt8]) {
        sink.json("{\"consultation\":")
        document.write(into: &sink)
        sink.list("messages", messages) { $0.write(into: &$1) }
        sink.json("}\n")
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
