import Foundation
import Testing
import TradingCore

@Suite("Ids and their mode")
struct IdentifierTests {
    let main = try! AccountID<Paper>(name: "main")

    @Test("ids print their mode, their account and themselves, and are read back")
    func texts() throws {
        #expect(main.description == "paper-main")
        #expect(try AccountID<Paper>("paper-main") == main)
        let order = OrderID(account: main, number: 17)
        #expect(order.description == "paper-main-o17")
        #expect(try OrderID<Paper>("paper-main-o17") == order)
        let fill = FillID(account: main, number: 9)
        #expect(fill.description == "paper-main-f9")
        #expect(try FillID<Paper>("paper-main-f9") == fill)
        let position = PositionID(account: main, symbol: "kraken:BTC/USD-PERP")
        #expect(position.description == "paper-main-kraken:BTC/USD-PERP")
        #expect(try PositionID<Paper>("paper-main-kraken:BTC/USD-PERP") == position)
    }

    @Test("an id of one mode is not read as the other's", arguments: ["paper-main", "paper-main-o17", "paper-main-f9"])
    func modes(text: String) {
        #expect(throws: IdentifierError.otherMode(expected: "live", text: text)) { try AccountID<Live>(text) }
        #expect(throws: IdentifierError.otherMode(expected: "live", text: text)) { try OrderID<Live>(text) }
        #expect(throws: IdentifierError.otherMode(expected: "live", text: text)) { try FillID<Live>(text) }
        #expect(throws: IdentifierError.otherMode(expected: "live", text: text)) { try PositionID<Live>(text) }
        let json = Data("[\"\(text)\"]".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([OrderID<Live>].self, from: json) }
    }

    @Test(
        "what is not an id is refused",
        arguments: [
            "", "paper", "paper-", "paper-main-", "paper-main-o", "paper-main-o0", "paper-main-o-1", "paper-main-o01",
            "paper-main-o+1", "paper-main-x1", "paper-main-f1", "paper-ma in-o1", "paper-main-o1-o2",
            "paper-main-o99999999999999999999", "live-main-o1",
        ])
    func refused(text: String) {
        #expect(throws: IdentifierError.self) { try OrderID<Paper>(text) }
    }

    @Test("an account's name has no hyphen, no space and at most 32 characters")
    func names() {
        for name in ["", "a-b", "a b", "ä", String(repeating: "a", count: 33)] {
            #expect(throws: IdentifierError.badAccountName(name)) { try AccountID<Paper>(name: name) }
        }
        #expect(throws: Never.self) { try AccountID<Paper>(name: "Scalping_2") }
    }
}
