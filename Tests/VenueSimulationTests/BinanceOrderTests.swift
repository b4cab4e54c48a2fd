import Testing

@testable import VenueSimulation

@Suite("Order entry at a simulated Binance")
struct BinanceOrderTests {
    private static let now: Int64 = 1_700_000_000_000

    /// An account in a market at 100, and requests to it.
    struct Account {
        var orders = BinanceOrders()
        var price = 100.0
        var now = BinanceOrderTests.now

        mutating func send(
            _ method: String, _ path: String, _ query: String = "", key: String = BinanceOrders.key,
            secret: String = BinanceOrders.secret, timestamp: Int64? = nil
        ) -> VenueResponse {
            let signed = "symbol=ABCUSDT&\(query)\(query.isEmpty ? "" : "&")timestamp=\(timestamp ?? now)"
            let signature = BinanceOrders.hmac(Array(signed.utf8), key: Array(secret.utf8))
            let target = "/api/v3/\(path)?\(signed)&signature=\(signature)"
            let request = VenueRequest(method: method, target: target, headers: ["x-mbx-apikey": key])
            let price = price
            return orders.answer(request, price: { $0 == "ABCUSDT" ? price : nil }, now: now)
                ?? VenueResponse(status: 0, body: "")
        }

        mutating func place(_ id: String, _ type: String = "type=MARKET", side: String = "BUY") -> String {
            send("POST", "order", "side=\(side)&\(type)&quantity=2&newClientOrderId=\(id)").body
        }

        mutating func status(_ id: String) -> String? {
            VenueJSON(Array(send("GET", "order", "origClientOrderId=\(id)").body.utf8))?["status"]?.string
        }
    }

    private static func code(_ response: VenueResponse) -> String? {
        VenueJSON(Array(response.body.utf8))?["code"]?.text
    }

    @Test("signatures are those of the venue's documents")
    func documented() {
        let secret = "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j"
        let query =
            "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000"
            + "&timestamp=1499827319559"
        #expect(
            BinanceOrders.hmac(Array(query.utf8), key: Array(secret.utf8))
                == "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71")
    }

    @Test(
        "a request with a wrong key, secret or time is refused with the venue's number, and does nothing",
        arguments: [
            ("other", BinanceOrders.secret, now, "-2015"), (BinanceOrders.key, "other", now, "-1022"),
            (BinanceOrders.key, BinanceOrders.secret, now - 5001, "-1021"),
            (BinanceOrders.key, BinanceOrders.secret, now + 1000, "-1021"),
        ])
    func refused(key: String, secret: String, timestamp: Int64, code: String) {
        var account = Account()
        let query = "side=BUY&type=MARKET&quantity=1"
        let answer = account.send("POST", "order", query, key: key, secret: secret, timestamp: timestamp)
        #expect(Self.code(answer) == code)
        #expect(account.orders.changes == 0)
    }

    @Test("the window's edges are accepted", arguments: [now - 5000, now + 999])
    func window(timestamp: Int64) {
        var account = Account()
        #expect(account.send("POST", "order", "side=BUY&type=MARKET&quantity=1", timestamp: timestamp).status == 200)
    }

    @Test("market orders fill at once, limit orders when the market is there, and both make trades")
    func fills() {
        var account = Account()
        _ = account.place("a")
        _ = account.place("b", "type=LIMIT&price=90")
        _ = account.place("c", "type=LIMIT&price=110", side: "SELL")
        #expect([account.status("a"), account.status("b"), account.status("c")] == ["FILLED", "NEW", "NEW"])
        account.price = 89
        #expect([account.status("b"), account.status("c")] == ["FILLED", "NEW"])
        let trades = VenueJSON(Array(account.send("GET", "myTrades").body.utf8))?.array ?? []
        #expect(trades.map { $0["price"]?.string } == ["100", "90"])
        #expect(trades.map { $0["commission"]?.string } == ["0.2", "0.18"])
        let rest = VenueJSON(Array(account.send("GET", "myTrades", "fromId=2").body.utf8))?.array
        #expect(rest?.count == 1)
    }

    @Test("an open client order id is refused a second time, and an order that is done cannot be cancelled")
    func clientIDs() {
        var account = Account()
        _ = account.place("a", "type=LIMIT&price=90")
        #expect(account.place("a", "type=LIMIT&price=90").contains("-2010"))
        #expect(account.send("DELETE", "order", "origClientOrderId=a").body.contains("CANCELED"))
        #expect(Self.code(account.send("DELETE", "order", "origClientOrderId=a")) == "-2011")
        #expect(Self.code(account.send("GET", "order", "origClientOrderId=no")) == "-2013")
        #expect(account.orders.changes == 2)
    }
}
