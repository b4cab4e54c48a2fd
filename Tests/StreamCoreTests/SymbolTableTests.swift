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

    @Test("distinguishes symbols of all lengths that differ in one byte, wherever it is")
    func lengths() {
        var table = SymbolTable()
        var names: [String] = []
        for length in 1...40 {
            let name = String("BTC-PERPETUAL/USD.SETTLED@VENUE:ABCDEFGH".prefix(length))
            names.append(name)
            for place in 0..<length {
                var other = Array(name.utf8)
                other[place] ^= 1
                names.append(String(decoding: other, as: UTF8.self))
            }
        }
        for name in names { #expect(table.find(name) == nil && table.insert(name) == table.count - 1) }
        for (number, name) in names.enumerated() { #expect(table.find(name) == number) }
    }
}
