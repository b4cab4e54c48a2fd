import Testing
import WebSocketTransport

@Suite("The table of connections")
struct ConnectionTableTests {
    let first = IPAddress(high: 1, low: 1)
    let second = IPAddress(high: 2, low: 2)

    func table() -> ConnectionTable {
        ConnectionTable(
            http: .init(perAddress: 2, total: 4, spare: 2, sparePerAddress: 1),
            webSocket: .init(perAddress: 1, total: 2))
    }

    @Test("an address has its share of each kind, and a spare place to be told")
    func shares() {
        var table = table()
        #expect(table.enter(.http, first) == .admitted)
        #expect(table.enter(.http, first) == .admitted)
        #expect(table.enter(.http, first) == .spare(.address))
        #expect(table.enter(.http, first) == .refused(.address))
        #expect(table.enter(.webSocket, first) == .admitted)
        #expect(table.enter(.webSocket, first) == .refused(.address))
        #expect(table.enter(.http, second) == .admitted)
        #expect(table.total(.http) == 4 && table.total(.webSocket) == 1 && table.addressCount == 2)
        for _ in 0..<3 { table.leave(.http, first) }
        table.leave(.webSocket, first)
        table.leave(.http, second)
        #expect(table.total(.http) == 0 && table.total(.webSocket) == 0 && table.addressCount == 0)
    }

    @Test("all together have their share, those without an address too")
    func total() {
        var table = table()
        for _ in 0..<4 { #expect(table.enter(.http, nil) == .admitted) }
        #expect(table.enter(.http, nil) == .spare(.total))
        #expect(table.enter(.http, first) == .spare(.total))
        #expect(table.enter(.http, second) == .refused(.total))
        #expect(table.addressCount == 1, "what is refused is not counted")
        table.leave(.http, nil)
        table.leave(.http, nil)
        table.leave(.http, nil)
        #expect(table.enter(.http, second) == .admitted)
    }

    @Test("a request on a counted connection counts for its address alone")
    func requests() {
        var table = table()
        #expect(table.enter(.http, nil) == .admitted)
        #expect(table.enter(.http, first, countsInTotal: false) == .admitted)
        #expect(table.total(.http) == 1 && table.addressCount == 1)
        table.leave(.http, first, countsInTotal: false)
        #expect(table.total(.http) == 1 && table.addressCount == 0)
    }

    @Test(
        "an address is written as it is read",
        arguments: ["192.0.2.1", "127.0.0.1", "::1", "2001:db8::7", "255.255.255.255", "0.0.0.0"])
    func text(address: String) {
        #expect(IPAddress(address)?.description == address)
    }

    @Test(
        "what is no address is none", arguments: ["", "1.2.3", "1.2.3.4:5", "[::1]", "localhost", "1.2.3.256", "::g"])
    func noText(address: String) { #expect(IPAddress(address) == nil) }
}
