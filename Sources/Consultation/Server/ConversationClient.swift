internal import StreamCore

/// Names one connection of a conversation.
public struct ClientNumber: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// What a client has been told. There is no queue of events: what it lacks is what lies between here and the head of the
/// conversation, so that a slow reader costs nothing and its chunks join by themselves.
struct ConversationClient {
    let number: ClientNumber
    /// Events that it was told.
    var sequence: Int
    /// The answer whose text it is being told, and how many bytes of it.
    var text: (message: Int, offset: Int)?
    /// Bytes sent and not taken by its socket.
    var inFlight = 0
    /// Answers to what it asked; they come before everything else.
    var replies: [Envelope] = []
    /// Its own messages: it gets an `ack` for each and not the message itself.
    var own: Set<String> = []
    var malformed = 0
    /// How often it may ask where things stand.
    var syncs: TokenBucket

    init(_ number: ClientNumber, sequence: Int, syncs: TokenBucket) {
        self.number = number
        self.sequence = sequence
        self.syncs = syncs
    }
}
