/// What a message of the consultation protocol is about.
///
/// The first eight are the documented ones; the rest is additive, and a client that ignores unknown ones works without.
public enum EnvelopeType: Sendable, Hashable {
    case userMessage, aiMessageStart, aiMessageChunk, aiMessageComplete, templateCreated, error, ping, pong
    /// The first frame of clients that cannot send headers; `content` is the token.
    case auth
    /// The server has the message, or accepted the token.
    case ack
    /// Stop the answer with this id. Nothing else stops one: a lost connection does not.
    case cancel
    /// The answer was stopped; `content` is what is kept of it.
    case cancelled
    /// Answer the message with this id once more.
    case retry
    /// The user decided about a proposal; `metadata` says what.
    case templateUpdated
    /// From a client: where it stands. From the server: where it goes on, or the whole state.
    case sync
    /// A type of a later version, kept as it is and passed over.
    case unknown(String)

    static let names: [(EnvelopeType, StaticString)] = [
        (.aiMessageChunk, "ai_message_chunk"), (.userMessage, "user_message"), (.aiMessageStart, "ai_message_start"),
        (.aiMessageComplete, "ai_message_complete"), (.templateCreated, "template_created"), (.error, "error"),
        (.ping, "ping"), (.pong, "pong"), (.auth, "auth"), (.ack, "ack"), (.cancel, "cancel"),
        (.cancelled, "cancelled"), (.retry, "retry"), (.sync, "sync"), (.templateUpdated, "template_updated"),
    ]

    public init(name: String) {
        self = Self.names.first { $0.1.description == name }?.0 ?? .unknown(name)
    }

    /// As it stands on the wire.
    public var name: String {
        if case .unknown(let name) = self { return name }
        return Self.names.first { $0.0 == self }.map { $0.1.description } ?? ""
    }

    /// Whether it is one of the source document's.
    public var isDocumented: Bool {
        switch self {
        case .userMessage, .aiMessageStart, .aiMessageChunk, .aiMessageComplete, .templateCreated, .error, .ping, .pong:
            true
        case .auth, .ack, .cancel, .cancelled, .retry, .sync, .templateUpdated, .unknown: false
        }
    }
}
