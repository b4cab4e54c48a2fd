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

/// What a conversation can be about.
public struct ConversationType: Sendable, Hashable, Decodable, Identifiable {
    /// As the server has it, for example `nutrition`.
    public var type: String
    /// Its name for people.
    public var title: String
    /// Whether lists of types have it.
    public var isListed: Bool

    public var id: String { type }

    enum CodingKeys: String, CodingKey {
        case type, title
        case isListed = "listed"
    }

    public init(type: String, title: String, isListed: Bool = true) {
        self.type = type
        self.title = title
        self.isListed = isListed
    }
}

/// The conversations of a user: a server's (``ServerConversations``), or a test's.
public protocol ConversationService: Sendable {
    /// Newest first.
    /// - Parameter before: only those older than the conversation with this id, for paging back.
    func fetchConversations(before: String?) async throws(ServiceError) -> (conversations: [Conversation], more: Bool)
    func startConversation(type: String) async throws(ServiceError) -> Conversation
    func deleteConversation(_ id: String) async throws(ServiceError)
    /// What a conversation can be about, the default first; empty where the service does not say.
    func fetchTypes() async throws(ServiceError) -> [ConversationType]
}

extension ConversationService {
    public func fetchTypes() async throws(ServiceError) -> [ConversationType] { [] }
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

    public func fetchTypes() async throws(ServiceError) -> [ConversationType] {
        try await rest.call("GET", ["consultation-types"], as: Types.self).types
    }

    private struct Types: Decodable {
        var types: [ConversationType]
    }

    private struct Page: Decodable {
        var consultations: [Conversation]
        var more: Bool
    }
}
