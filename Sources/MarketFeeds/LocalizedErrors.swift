// `localizedDescription` is the sentence.
public import Foundation

extension FeedError: LocalizedError {
    public var errorDescription: String? { description }
}

extension HistoryError: LocalizedError {
    public var errorDescription: String? { description }
}

extension FeedTokenError: LocalizedError {
    package var errorDescription: String? { description }
}

extension StockFlaw: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .notJSON: "the message is not JSON"
        case .badValue: "a value is of another type, or not a number"
        case .missingField: "the symbol is missing, or not exactly one of delta_price and price is there"
        case .unknownSymbol: "the stock is not on the list"
        case .notAPrice: "the price would not be above zero, or is beyond every market"
        case .outOfOrder: "the price is older than the last one"
        case .inTheFuture: "the price is more than a minute ahead of the clock"
        }
    }
}
