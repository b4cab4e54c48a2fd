import Foundation
import MarketServices
import Testing
import TradingCore

@Suite("Errors as sentences")
struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (ServiceError(.notFound, message: "There is no such order."), "There is no such order."),
        (TradingRejection(.invalid, field: "quantity", "is above 0"), "quantity: is above 0"),
        (IdentifierError.malformed("x"), "x is not an id"),
        (LedgerError.sequence(expected: 2, found: 4), "expected entry 2, found 4"),
        (DecimalError.divisionByZero, "division by zero"),
        (MoneyError.differentCurrencies("USD", "EUR"), "amounts in USD and EUR cannot be combined"),
    ]

    @Test("localizedDescription is the error's sentence", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }
}
