public import StreamCore

/// What a user message says beside its text: the members of its `metadata`.
public struct MessageDetails: Sendable, Hashable {
    /// The id of the user message that this one replaces.
    public var edits: String?
    /// What is on the user's screen.
    public var screen: ScreenContext?

    public init(edits: String? = nil, screen: ScreenContext? = nil) {
        self.edits = edits
        self.screen = screen
    }

    /// Reads a message's metadata. Members that it does not know are passed over.
    /// - Throws: `EnvelopeError` where `edits` or `context` is not what it must be.
    public init(metadata: [String: JSONValue]?) throws(EnvelopeError) {
        if let value = metadata?["edits"], !value.isNull {
            guard let id = value.text, Envelope.isID(id) else {
                throw EnvelopeError("The field metadata.edits must be the id of a message.", field: "metadata.edits")
            }
            edits = id
        }
        if let value = metadata?["context"], !value.isNull { screen = try ScreenContext(json: value) }
    }

    /// `nil` where there is nothing to say.
    public var metadata: [String: JSONValue]? {
        var metadata: [String: JSONValue] = [:]
        if let edits { metadata["edits"] = .string(edits) }
        if let screen { metadata["context"] = screen.json }
        return metadata.isEmpty ? nil : metadata
    }
}

/// What is on a user's screen, so that "what about this one?" can be answered.
public struct ScreenContext: Sendable, Hashable {
    /// The market, as the server names it.
    public var symbol: String?
    public var timeframe: String?
    /// The paper account that the user looks at.
    public var account: String?

    /// Bytes of each.
    static let maxLength = 100

    public init(symbol: String? = nil, timeframe: String? = nil, account: String? = nil) {
        self.symbol = symbol
        self.timeframe = timeframe
        self.account = account
    }

    init(json: JSONValue) throws(EnvelopeError) {
        guard let members = json.members else {
            throw EnvelopeError("The field metadata.context must be an object.", field: "metadata.context")
        }
        func text(_ key: String) throws(EnvelopeError) -> String? {
            guard let value = members[key], !value.isNull else { return nil }
            guard let text = value.text, 1...Self.maxLength ~= text.utf8.count else {
                throw EnvelopeError(
                    "The field metadata.context.\(key) must be a text of 1 to \(Self.maxLength) bytes.",
                    field: "metadata.context.\(key)")
            }
            return text
        }
        symbol = try text("symbol")
        timeframe = try text("timeframe")
        account = try text("account")
    }

    var json: JSONValue {
        var members: [String: JSONValue] = [:]
        if let symbol { members["symbol"] = .string(symbol) }
        if let timeframe { members["timeframe"] = .string(timeframe) }
        if let account { members["account"] = .string(account) }
        return .object(members)
    }
}
