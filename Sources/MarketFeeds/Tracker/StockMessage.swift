import MarketModel
import StreamCore

/// What is said about a stock's price on the socket.
///
/// `{"symbol":"AAPL","delta_price":-1.25}`: the distance from the initial price. It is **absolute**, not the step since
/// the last message: the current price is `initial_price + delta_price`, whatever came before, so that a message that
/// is lost or comes twice spoils nothing.
///
/// The form of similar programs is understood, too: `{"symbol":"AAPL","price":186.4,"timestamp":"2026-01-05T14:30:00Z"}`.
public struct StockMessage: Sendable, Equatable {
    public enum Value: Sendable, Equatable {
        /// The distance from the initial price.
        case delta(Double)
        /// The price itself, with the time it was made (seconds since 1970 UTC) where the message has one.
        case price(Double, timestamp: Double?)
    }

    public let symbol: String
    public let value: Value

    public init(symbol: String, value: Value) {
        self.symbol = symbol
        self.value = value
    }

    /// Reads one message.
    /// - Throws: what is wrong with it: that message is lost, and nothing else.
    public init(_ bytes: UnsafeRawBufferPointer) throws(StockFlaw) {
        do {
            self = try StockMessage.read(bytes)
        } catch let flaw as StockFlaw {
            throw flaw
        } catch let error as JSONError {
            throw error.problem == .wrongType || error.problem == .invalidNumber ? .badValue : .notJSON
        } catch { throw .notJSON }
    }

    private static func read(_ bytes: Bytes) throws -> StockMessage {
        var symbol: String?
        var delta: Double?
        var price: Double?
        var timestamp: Double?
        var scanner = JSONScanner(bytes)
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
            switch key {
            case "symbol": symbol = try scanner.string().string
            case "delta_price": delta = try scanner.number()
            case "price": price = try scanner.number()
            case "timestamp": timestamp = try time(&scanner)
            default: try scanner.skipValue()
            }
        }
        try scanner.end()
        guard let symbol else { throw StockFlaw.missingField }
        if let delta, price == nil { return StockMessage(symbol: symbol, value: .delta(delta)) }
        // Both at once could contradict each other.
        guard let price, delta == nil else { throw StockFlaw.missingField }
        return StockMessage(symbol: symbol, value: .price(price, timestamp: timestamp))
    }

    /// ISO 8601, or seconds since 1970.
    private static func time(_ scanner: inout JSONScanner) throws -> Double {
        guard try scanner.kind() == .string else { return try scanner.number() }
        guard let seconds = RFC3339.seconds(try scanner.string().raw) else { throw StockFlaw.badValue }
        return seconds
    }

    /// The message as it is written, in the first form.
    public static func bytes(symbol: String, delta: Double) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(48)
        bytes.json("{\"symbol\":")
        bytes.string(symbol)
        bytes.json(",\"delta_price\":")
        bytes.number(delta)
        bytes.json("}")
        return bytes
    }
}

/// Why a message about a stock was of no use.
public enum StockFlaw: Int, Error, Sendable, CaseIterable {
    case notJSON
    /// A value of another type, or a number that is none.
    case badValue
    /// No symbol, or not one of `delta_price` and `price`.
    case missingField
    /// A stock that is not on the list.
    case unknownSymbol
    /// The price would not be above zero, or beyond every market.
    case notAPrice
    /// Made before a price that is known already.
    case outOfOrder
    /// Made more than a minute from now.
    case inTheFuture

    /// Its name in documents and listings.
    public var name: String { snakeCase("\(self)") }
}
