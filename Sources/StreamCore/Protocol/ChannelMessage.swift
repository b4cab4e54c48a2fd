/// A message of a channel: its head, which says where it belongs, and its JSON text as it came.
///
/// What it is about (`order`, `positions`, ...) is read from the text by whoever knows those types; this module has no
/// notion of money.
public struct ChannelMessage: Sendable, Equatable {
    public var head: ChannelHead
    /// The whole message, UTF-8.
    public var json: [UInt8]

    public init(head: ChannelHead, json: [UInt8]) {
        self.head = head
        self.json = json
    }

    /// The message as text.
    public var text: String { String(decoding: json, as: UTF8.self) }
}

/// What all messages of channels have in common.
public struct ChannelHead: Sendable, Equatable {
    /// `subscribed`, `snapshot`, `order`, `fill`, `positions`, ...
    public var type: String
    public var channel: StreamChannel
    public var account: String?
    /// The account's position in its ledger after what the message tells; `nil` where the channel has none.
    public var sequence: Int64?
    /// Of the request that this answers.
    public var id: RequestID?

    public init(
        type: String, channel: StreamChannel, account: String? = nil, sequence: Int64? = nil, id: RequestID? = nil
    ) {
        self.type = type
        self.channel = channel
        self.account = account
        self.sequence = sequence
        self.id = id
    }
}
