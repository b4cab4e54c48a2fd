/// Why a protocol message was refused: what, where, and what is allowed.
public struct WireError: Error, Sendable, Equatable {
    /// The machine-readable kind, as sent in `{"type":"error","code":...}`.
    public enum Code: Sendable, Equatable {
        case invalidJSON
        case missingField
        case invalidField
        case unknownAction
        case unknownSymbol
        case unknownTimeframe
        case unknownChannel
        /// There is no account of this id.
        case unknownAccount
        /// Not now: what it needs is not there yet, or not for the moment. A client tries again after a while.
        case unavailable
        case notSubscribed
        case tooManySubscriptions
        /// A token is needed, or the one that came is not valid. Close 4101 follows.
        case unauthorized
        /// The token is valid, but not for this.
        case forbidden
        /// More messages a second than the server accepts. Close 4009 follows.
        case tooManyMessages

        public var name: StaticString {
            switch self {
            case .invalidJSON: "invalid_json"
            case .missingField: "missing_field"
            case .invalidField: "invalid_field"
            case .unknownAction: "unknown_action"
            case .unknownSymbol: "unknown_symbol"
            case .unknownTimeframe: "unknown_timeframe"
            case .unknownChannel: "unknown_channel"
            case .unknownAccount: "unknown_account"
            case .unavailable: "unavailable"
            case .notSubscribed: "not_subscribed"
            case .tooManySubscriptions: "too_many_subscriptions"
            case .unauthorized: "unauthorized"
            case .forbidden: "forbidden"
            case .tooManyMessages: "too_many_messages"
            }
        }
    }

    public var code: Code
    /// The field at fault, where there is one.
    public var field: String?
    /// One sentence for a person.
    public var message: String
    /// The request's id as it stood in the message, to be echoed.
    public var requestID: RequestID?

    /// Whether the message itself made no sense, and not only what it requested.
    public var isMalformed: Bool {
        switch code {
        case .invalidJSON, .missingField, .invalidField, .unknownAction, .unknownTimeframe, .unknownChannel: true
        case .unknownSymbol, .unknownAccount, .unavailable, .notSubscribed, .tooManySubscriptions, .unauthorized,
            .forbidden, .tooManyMessages:
            false
        }
    }

    public init(_ code: Code, field: String? = nil, message: String, requestID: RequestID? = nil) {
        self.code = code
        self.field = field
        self.message = message
        self.requestID = requestID
    }
}

/// A request's `id`: a number or a string of the client's choice, echoed in the answer exactly as it came.
public struct RequestID: Sendable, Equatable, Hashable {
    /// The JSON text, quotes included.
    public let json: [UInt8]

    public init(_ number: Int) {
        var json: [UInt8] = []
        json.integer(number)
        self.json = json
    }

    /// - Parameter raw: a JSON number or string of at most 64 bytes.
    init?(raw: UnsafeRawBufferPointer) {
        guard raw.count <= 64 else { return nil }
        json = [UInt8](raw)
    }

    /// The id as a whole number, if it is one.
    public var number: Int? {
        json.withUnsafeBytes { DecimalParser.parseWhole($0) }.flatMap {
            $0.magnitude < 9e15 ? Int(exactly: $0) : nil
        }
    }
}

extension ByteSink {
    /// `,"id":...`, where there is one.
    mutating func requestID(_ id: RequestID?) {
        guard let id else { return }
        json(",\"id\":")
        id.json.withUnsafeBytes { append($0) }
    }
}
