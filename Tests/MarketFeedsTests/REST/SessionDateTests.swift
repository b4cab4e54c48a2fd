import MarketModel
import Testing

@testable import MarketFeeds

@Suite("The day of a US session")
struct SessionDateTests {
    @Test(
        "extended hours in New York are of one day, in summer and in winter",
        arguments: [
            // In summer New York is four hours behind UTC, in winter five.
            ("2024-08-08T08:00:00Z", "2024-08-08"), ("2024-08-08T13:30:00Z", "2024-08-08"),
            ("2024-08-08T23:59:59Z", "2024-08-08"), ("2024-12-05T09:00:00Z", "2024-12-05"),
            ("2024-12-05T21:00:00Z", "2024-12-05"), ("2024-12-06T00:59:59Z", "2024-12-05"),
        ])
    func date(time: String, date: String) throws {
        let seconds = try #require(Array(time.utf8).withUnsafeBytes { RFC3339.seconds($0) })
        #expect(ReferencePrice.sessionDate(at: seconds) == date)
    }
}
