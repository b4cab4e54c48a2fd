// `localizedDescription` is the sentence, also for errors of TradingCore, which does without Foundation.
public import Foundation
public import TradingCore

extension ServiceError: LocalizedError {
    public var errorDescription: String? { message }
}

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
