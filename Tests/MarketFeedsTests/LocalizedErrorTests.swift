import Foundation
import MarketFeeds
import Testing

@Suite("Errors as sentences")
struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (FeedError(.usage, "There is no such venue."), "There is no such venue."),
        (HistoryError(.refused, "The venue has no such symbol."), "The venue has no such symbol."),
        (FeedTokenError(isRefusal: true, "The key is not valid."), "The key is not valid."),
        (StockFlaw.notJSON, "the message is not JSON"),
    ]

    @Test("localizedDescription is the error's sentence", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }
}
