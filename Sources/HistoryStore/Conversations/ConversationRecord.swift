/// One entry of a conversation's log, as it is on disk. Its body means something only to those who write and read it.
public struct ConversationRecord: Sendable, Equatable {
    /// 1, 2, 3… within the conversation, without a hole.
    public var number: Int
    /// When it happened, seconds since 1970 UTC. Finite.
    public var time: Double
    /// The kind of entry, so that people find their way in the file.
    public var kind: String
    /// The entry as JSON.
    public var body: String

    public init(number: Int, time: Double, kind: String, body: String) {
        self.number = number
        self.time = time
        self.kind = kind
        self.body = body
    }
}

/// What is added to a conversation, all of it or nothing.
public struct ConversationAppend: Sendable, Equatable {
    /// Who begins a conversation, and what about.
    public struct Opening: Sendable, Equatable {
        public var user: String
        /// The consultation type.
        public var kind: String

        public init(user: String, kind: String) {
            self.user = user
            self.kind = kind
        }
    }

    public var conversation: String
    /// Of the append that begins the conversation, and only of that.
    public var opening: Opening?
    /// In order, the first one after the last that is on disk.
    public var records: [ConversationRecord]
    /// Becomes the conversation's title where it has none yet.
    public var title: String?
    /// How many of the records are messages.
    public var messages: Int

    public init(
        conversation: String, opening: Opening? = nil, records: [ConversationRecord], title: String? = nil,
        messages: Int = 0
    ) {
        self.conversation = conversation
        self.opening = opening
        self.records = records
        self.title = title
        self.messages = messages
    }
}

/// A conversation in a list.
public struct ConversationSummary: Sendable, Equatable {
    public var id: String
    public var user: String
    /// The consultation type.
    public var kind: String
    /// `nil` before the first message.
    public var title: String?
    /// Seconds since 1970 UTC.
    public var createdAt: Double
    /// Of the last entry.
    public var updatedAt: Double
    public var messages: Int

    public init(
        id: String, user: String, kind: String, title: String?, createdAt: Double, updatedAt: Double, messages: Int
    ) {
        self.id = id
        self.user = user
        self.kind = kind
        self.title = title
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.messages = messages
    }
}
