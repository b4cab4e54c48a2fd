/// What one conversation may cost, and how it behaves.
public struct ConversationSettings: Sendable, Hashable {
    /// Characters in a user's message, from 1 on.
    public var maxMessageLength = 5_000
    /// User messages without an answer; beyond, they are refused until one is given.
    public var maxWaiting = 8
    /// Messages of all roles; a conversation beyond accepts no more.
    public var maxMessages = 4_000
    /// Bytes of one answer; a model that goes on is stopped.
    public var maxAnswerLength = 256 << 10
    /// Seconds a model may say nothing.
    public var silence = 60.0
    /// Text is written to disk after this many seconds or bytes, or with the answer's end: what a crash can
    /// remove from a screen. With a thousand answers at once, a quarter of this costs a seventh of a processor more.
    public var flushInterval = 1.0
    public var flushBytes = 4 << 10
    /// Bytes on their way to a client whose socket has not written them yet. Beyond, nothing is sent to it: its text grows here, and
    /// goes in one piece when it reads again.
    public var window = 64 << 10
    /// Bytes of text in one chunk.
    public var maxChunkSize = 16 << 10
    /// Answers to requests that wait for a client; one that sends requests and does not read is closed with 4008.
    public var maxReplies = 64
    /// Messages in a `sync`, the newest ones; and how many events a client may have missed to get them one by one.
    public var syncMessages = 100
    /// The messages of a `sync` in bytes, as they go over the wire; older ones are left out beyond it, and are to be had
    /// from the history. The newest one is there whatever its size.
    public var syncBytes = 512 << 10
    /// `sync` requests of one connection: in a second in the long run, and at once.
    public var syncRate = 1.0
    public var syncBurst = 20.0
    /// Seconds in which a client of the original protocol answers a ping. One that never did counts then as one that answers
    /// none; an earlier connection of a client that is back counts as lost.
    public var pongTime = 2.0
    /// Seconds after which a client that has sent no `sync` gets the end of an answer whose start it was not sent.
    public var syncTime = 1.0
    /// After their connections are lost: seconds for which the server keeps what clients of the original protocol have, and
    /// of how many.
    public var absence = 3_600.0
    public var maxDeparted = 16
    /// Messages of one client that could not be read, before it is closed with 4100.
    public var maxMalformed = 20
    /// Messages of the past that a model is given, and the bytes of their text.
    public var contextMessages = 40
    public var contextBytes = 64 << 10

    public init() {}
}
