/// Why a message does not come into a conversation.
public struct MessageRefusal: Error, Sendable, Hashable {
    /// `metadata.code` of the `error` frame.
    public var code: String
    /// A sentence for the user.
    public var text: String
    public var field: String?
    /// More of the `error` frame's metadata.
    public var more: [String: JSONValue]

    init(_ code: String, _ text: String, field: String? = nil, more: [String: JSONValue] = [:]) {
        self.code = code
        self.text = text
        self.field = field
        self.more = more
    }
}
