public import MarketServices
internal import TradingCore

/// A conversation with an assistant, as a list shows it.
public struct Conversation: Sendable, Hashable, Codable, Identifiable {
    public var id: String
    /// What it is about: a type that the server knows, for example `nutrition`.
    public var type: String
    public var title: String
    /// Seconds since 1970 UTC.
    public var updatedAt: Double
    /// How many messages it has.
    public var messages: Int

    enum CodingKeys: String, CodingKey {
        case id, type, title, messages
        case updatedAt = "updated_at"
    }

    public init(id: String, type: String, title: String, updatedAt: Double, messages: Int) {
        self.id = id
        self.type = type
        self.title = title
        self.updatedAt = updatedAt
        self.messages = messages
    }
}

/// The conversations of a user: a server's (``ServerConversations``), or a test's.
public protocol ConversationService: Sendable {
    /// Newest first.
    /// - Parameter before: only those older than the conversation with this id, for paging back.
    func fetchConversations(before: String?) async throws(ServiceError) -> (conversations: [Conversation], more: Bool)
    func startConversation(type: String) async throws(ServiceError) -> Conversation
    func deleteConversation(_ id: String) async throws(ServiceError)
}

/// The conversations on a candlewire server.
public struct ServerConversations: ConversationService {
    private let rest: RESTClient

    /// - Parameter settings: the server's address, its credentials, how requests are repeated. The account is not used.
    public init(_ settings: LiveServiceSettings) { rest = RESTClient(settings) }

    public func fetchConversations(
        before: String?
    ) async throws(ServiceError) -> (conversations: [Conversation], more: Bool) {
        let page = try await rest.call("GET", ["consultations"], query: [("before", before)], as: Page.self)
        return (page.consultations, page.more)
    }

    /// Not repeated where it may have arrived: there would be two.
    public func startConversation(type: String) async throws(ServiceError) -> Conversation {
        try await rest.call("POST", ["consultations"], body: ["consultationType": type], isIdempotent: false)
    }

    public func deleteConversation(_ id: String) async throws(ServiceError) {
        _ = try await rest.send("DELETE", ["consultations", id])
    }

    private struct Page: Decodable {
        var consultations: [Conversation]
        var more: Bool
    }
}
