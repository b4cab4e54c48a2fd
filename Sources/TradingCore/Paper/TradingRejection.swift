/// Why a request is refused: a code, the field that is wrong, and a sentence.
public struct TradingRejection: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A field has a value that cannot be.
        public static let invalid = Code(rawValue: "invalid")
        /// The client order id is known with another content.
        public static let duplicateClientOrderID = Code(rawValue: "duplicate_client_order_id")
        public static let unknownOrder = Code(rawValue: "unknown_order")
        public static let unknownPosition = Code(rawValue: "unknown_position")
        public static let unknownMarket = Code(rawValue: "unknown_market")
        /// The market has no trade yet, so there is no price.
        public static let noPrice = Code(rawValue: "no_price")
        /// The order is filled, cancelled, rejected or expired.
        public static let orderDone = Code(rawValue: "order_done")
        /// The order has changed since the version that was named.
        public static let versionConflict = Code(rawValue: "version_conflict")
        public static let insufficientMargin = Code(rawValue: "insufficient_margin")
        public static let wouldTrade = Code(rawValue: "would_trade")
        public static let nothingToReduce = Code(rawValue: "nothing_to_reduce")
        public static let tooManyOrders = Code(rawValue: "too_many_orders")
    }

    public var code: Code
    /// The name on the wire of the field that is wrong, where one is.
    public var field: String?
    /// A sentence for people.
    public var message: String

    public init(_ code: Code, field: String? = nil, _ message: String) {
        self.code = code
        self.field = field
        self.message = message
    }

    public var description: String { field.map { "\($0): \(message)" } ?? message }
}
