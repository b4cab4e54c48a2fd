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
    public var errorDescription: String? {
        switch self {
        case .outOfRange: "the number is out of range"
        case .divisionByZero: "division by zero"
        }
    }
}

extension MoneyError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .differentCurrencies(let one, let other): "amounts in \(one) and \(other) cannot be combined"
        case .outOfRange: "the amount is out of range"
        }
    }
}
