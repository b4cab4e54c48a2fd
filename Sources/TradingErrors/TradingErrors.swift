// `localizedDescription` is the sentence of these errors. TradingCore reads no clock and no file: it has no Foundation.
public import Foundation
public import TradingCore

extension TradingRejection: LocalizedError {
    public var errorDescription: String? { description }
}

extension IdentifierError: LocalizedError {
    public var errorDescription: String? { description }
}

extension LedgerError: LocalizedError {
    public var errorDescription: String? { description }
}

extension DecimalError: LocalizedError {
    public var errorDescription: String? { description }
}

extension MoneyError: LocalizedError {
    public var errorDescription: String? { description }
}
