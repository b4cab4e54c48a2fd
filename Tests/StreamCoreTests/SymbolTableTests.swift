import StreamCore
import Testing

@Suite("SymbolTable")
struct SymbolTableTests {
    @Test("finds each symbol by its bytes, and no other")
    func finds() {
        let names = (0..<500).map { "SYM\($0)/USD" } + ["BTC-USD", "é"]
        var table = SymbolTable(names)
        for (number, name) in names.enumerated() { #expect(table.find(name) == number) }
        #expect(table.find("BTC-US") == nil)
        #expect(table.find("") == nil)
        #expect(table.insert("BTC-USD") == 500)
        #expect(table.insert("new") == 502)
        #expect(table.names.count == 503)
    }
}
