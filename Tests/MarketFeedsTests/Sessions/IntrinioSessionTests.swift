import StreamCore
import Testing

@testable import MarketFeeds

@Suite("Sessions with Intrinio")
struct IntrinioSessionTests {
    private static func join(_ socket: Int, _ symbol: String, _ number: Int, _ event: String = "phx_join") -> String {
        #"send \#(socket) {"topic":"iex:securities:\#(symbol)","event":"\#(event)","payload":{},"ref":"\#(number)"}"#
    }

    private static func ok(_ symbol: String, _ number: Int) -> String {
        IntrinioTests.reply("iex:securities:\(symbol)", ref: "\"\(number)\"", #"{"status":"ok","response":{}}"#)
    }

    private static func event(_ event: String, _ symbol: String) -> String {
        #"{"topic":"iex:securities:\#(symbol)","event":"\#(event)","payload":{},"ref":null}"#
    }

    private static let beat = #"{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"heartbeat"}"#
    private static let alive = IntrinioTests.reply("phoenix", ref: "\"heartbeat\"", #"{"status":"ok","response":{}}"#)

    private func open(_ symbols: [String], _ adapter: any FeedAdapter = IntrinioAdapter()) -> FeedScript {
        var script = FeedScript(adapter, symbols)
        _ = script.connect()
        script.session.setToken("t", now: script.now)
        _ = script.actions()
        return script
    }

    @Test("the token comes first, and is in the address, encoded")
    func token() {
        var script = FeedScript(IntrinioAdapter(), ["AAPL"])
        #expect(script.connect() == ["authenticating", "fetch token"], "no socket before there is a token")
        script.session.setToken("a+b/c=&d", now: 0)
        #expect(script.actions() == ["open 1", "connecting"])
        #expect(
            script.session.url
                == "wss://realtime.intrinio.com/socket/websocket?vsn=1.0.0&token=a%2Bb%2Fc%3D%26d")
        #expect(script.open().contains("open"))
    }

    @Test(
        "another address keeps its path where it has one",
        arguments: [
            ("ws://127.0.0.1:9", "ws://127.0.0.1:9/socket/websocket?vsn=1.0.0&token=t"),
            ("ws://127.0.0.1:9/", "ws://127.0.0.1:9/socket/websocket?vsn=1.0.0&token=t"),
            ("ws://h/own", "ws://h/own?vsn=1.0.0&token=t"), ("ws://h/own?a=1", "ws://h/own?a=1&vsn=1.0.0&token=t"),
        ])
    func addresses(base: String, url: String) { #expect(IntrinioAdapter().address(base, token: "t") == url) }

    @Test("a heartbeat each 15 s; one without an answer ends the connection; none after a disconnect")
    func heartbeat() {
        var script = open(["AAPL"])
        _ = script.open()
        _ = script.receive(Self.ok("AAPL", 1))
        for _ in 0..<4 {
            #expect(script.wait(14.9).isEmpty)
            #expect(script.wait(0.1) == ["send 1 \(Self.beat)"])
            #expect(script.receive(Self.alive) == [])
        }
        #expect(script.wait(15) == ["send 1 \(Self.beat)"])
        let lost = script.wait(30)
        #expect(lost.contains("silent") && lost.contains("interrupted AAPL"))
        script.session.disconnect(now: script.now)
        _ = script.actions()
        #expect(script.session.deadline == nil && script.wait(100).isEmpty, "no timer is left")
        #expect(script.session.state == .closed)
    }

    @Test("joins, leaves and heartbeats are Phoenix frames, with a ref so that answers can be matched")
    func frames() {
        var script = open(["AAPL", "BRK.B"])
        #expect(script.open() == ["authenticating", "open", Self.join(1, "AAPL", 1), Self.join(1, "BRK.B", 2)])
        #expect(script.receive(Self.ok("BRK.B", 2)) == ["live BRK.B"], "in another order")
        #expect(script.receive(Self.ok("AAPL", 1)) == ["live AAPL"])
        script.session.setWanted(0, false, now: script.now)
        #expect(script.actions() == [Self.join(1, "AAPL", 3, "phx_leave"), "interrupted AAPL"])
    }

    @Test("subscriptions end with the connection and are sent again on the next one, with the same token")
    func rejoins() {
        var script = open(["AAPL"])
        _ = script.open()
        _ = script.receive(Self.ok("AAPL", 1))
        #expect(script.close().contains("interrupted AAPL"))
        let again = script.wait(3)
        #expect(again.contains("open 2") && !again.contains("fetch token"), "the token is kept")
        #expect(script.open(2).last == Self.join(2, "AAPL", 1))
        #expect(script.receive(Self.ok("AAPL", 1), on: 2) == ["live AAPL"])
    }

    @Test("a symbol is joined once, however often it is wanted")
    func joinsOnce() {
        var script = open(["AAPL"])
        #expect(script.open().filter { $0.contains("phx_join") }.count == 1)
        for _ in 0..<3 { #expect(script.session.add("AAPL", now: script.now) == 0) }
        _ = script.receive(Self.ok("AAPL", 1))
        script.session.setWanted(0, true, now: script.now)
        #expect(script.actions() == [])
        #expect(script.session.add("MSFT", now: script.now) == 1)
        #expect(script.actions() == [Self.join(1, "MSFT", 2)], "a new one is joined at once")
    }

    @Test("what was not joined is not left")
    func leavesOnce() {
        var script = open(["AAPL", "MSFT"])
        script.session.setWanted(1, false, now: 0)
        #expect(script.open() == ["authenticating", "open", Self.join(1, "AAPL", 1)])
        script.session.setWanted(1, false, now: 0)
        #expect(script.actions() == [])
        script.session.setWanted(0, false, now: 0)
        #expect(script.actions() == [Self.join(1, "AAPL", 2, "phx_leave")])
        script.session.setWanted(0, false, now: 0)
        #expect(script.actions() == [])
    }

    @Test("a market that came unasked does not disturb the numbers of those that are added")
    func strangers() {
        var script = open(["AAPL"])
        _ = script.open()
        _ = script.receive(IntrinioTests.quote("last", "GE", "5"))
        #expect(script.session.add("MSFT", now: 0) == 2 && script.session.symbols == ["AAPL", "GE", "MSFT"])
        #expect(script.actions() == [Self.join(1, "MSFT", 2)])
        #expect(script.receive(Self.ok("MSFT", 2)) == ["live MSFT"])
        _ = script.receive(IntrinioTests.quote("last", "MSFT", "7"))
        #expect(script.trades == ["GE 5.0", "MSFT 7.0"])
    }

    @Test(
        "a refused join is reported with the venue's reason and not repeated",
        arguments: [
            (#"{"status":"error","response":"L"}"#, "the stream is not in your package"),
            (#"{"status":"error","response":{"reason":"unmatched topic"}}"#, "unmatched topic"),
            (#"{"status":"error","response":[]}"#, "the venue gave no reason"),
            (#"{"status":"error"}"#, "the venue gave no reason"),
        ])
    func refusals(payload: String, reason: String) {
        for ref in ["\"1\"", "null"] {
            var script = open(["ZZZZ", "AAPL"])
            _ = script.open()
            let answer = IntrinioTests.reply("iex:securities:ZZZZ", ref: ref, payload)
            #expect(script.receive(answer) == ["refused ZZZZ: \(reason)"])
            #expect(script.receive(Self.ok("AAPL", 2)) == ["live AAPL"])
            #expect(!script.wait(14).contains { $0.contains("ZZZZ") })
        }
    }

    @Test("a topic that crashes at the venue is joined again after a pause", arguments: ["phx_error", "phx_close"])
    func crashes(event: String) {
        var script = open(["AAPL"])
        _ = script.open()
        _ = script.receive(Self.ok("AAPL", 1))
        #expect(script.receive(Self.event(event, "AAPL")) == ["interrupted AAPL"])
        #expect(script.wait(FeedSession.rejoinPause - 0.1) == [])
        #expect(script.wait(0.1) == [Self.join(1, "AAPL", 2)])
        #expect(script.receive(Self.ok("AAPL", 2)) == ["live AAPL"])
        script.session.setWanted(0, false, now: script.now)
        _ = script.actions()
        #expect(script.receive(Self.event(event, "AAPL")) == [], "after a leave it is no news")
        #expect(script.wait(8) == [])
    }

    @Test("a closed market is quiet for hours, and nothing is sent, reported or ended but heartbeats")
    func quiet() {
        var script = open(["AAPL"])
        _ = script.open()
        _ = script.receive(Self.ok("AAPL", 1))
        for _ in 0..<(3 * 240) {
            #expect(script.wait(15) == ["send 1 \(Self.beat)"])
            #expect(script.receive(Self.alive) == [])
        }
        #expect(script.session.state == .open)

        var binary = open(["AAPL"], IntrinioEquitiesAdapter())
        #expect(binary.open() == ["authenticating", "open", "send 1 bytes [74, 0, 65, 65, 80, 76]", "live AAPL"])
        for _ in 0..<(3 * 180) {
            #expect(binary.wait(20) == ["ping 1"])
            binary.session.pong(on: SocketNumber(rawValue: 1), now: binary.now)
        }
        binary.session.setWanted(0, false, now: binary.now)
        #expect(binary.actions() == ["send 1 bytes [76, 65, 65, 80, 76]", "interrupted AAPL"])
    }

    @Test(
        "a refused token is replaced once, by 401 as by Phoenix's 403; then the key is at fault", arguments: [401, 403])
    func refusedToken(status: Int) {
        var script = open(["AAPL"])
        func refuse(_ socket: Int) {
            script.session.refused(SocketNumber(rawValue: socket), status: status, retryAfter: nil, now: script.now)
        }
        refuse(1)
        #expect(script.actions() == ["problem refused(status: 401)", "authenticating", "fetch token again"])
        script.session.setToken("new", now: 0)
        #expect(script.actions() == ["open 2", "connecting"] && script.session.url.hasSuffix("token=new"))
        refuse(2)
        #expect(script.actions() == ["problem refused(status: 401)", "failed"])
        #expect(script.wait(FeedSession.failurePause).contains("fetch token"), "the reason may be gone by then")
    }

    @Test(
        "a key that is not accepted is reported as such, and tried again each minute; a host that is away, with backoff"
    )
    func tokenFailures() {
        var script = FeedScript(IntrinioAdapter(), ["AAPL"])
        _ = script.connect()
        script.session.tokenFailed(FeedTokenError(isRefusal: true, "no"), now: 0)
        #expect(script.actions() == ["problem token", "failed"])
        #expect(script.session.state == .failed(.unauthorized))
        #expect(script.wait(FeedSession.failurePause - 1) == [])
        #expect(script.wait(1) == ["authenticating", "fetch token"])
        script.session.tokenFailed(FeedTokenError(isRefusal: false, "away"), now: script.now)
        #expect(script.actions() == ["problem token", "waiting"])
        #expect(script.wait(5).contains("fetch token"))
    }

    @Test("a token is kept for a week, and replaced with the connection open")
    func renewal() {
        var script = open(["AAPL"], IntrinioEquitiesAdapter())
        _ = script.open()
        let lifetime = IntrinioAccess.tokenLifetime
        script.session.pong(on: SocketNumber(rawValue: 1), now: 0)
        // The pings in between are of no interest here.
        var said: [String] = []
        while script.now < lifetime + 10 {
            said += script.wait(min(20, lifetime + 10 - script.now))
            script.session.pong(on: SocketNumber(rawValue: 1), now: script.now)
        }
        #expect(said.filter { $0 != "ping 1" } == ["fetch token"])
        script.session.tokenFailed(FeedTokenError(isRefusal: true, "no"), now: script.now)
        #expect(script.actions() == ["problem token"] && script.session.state == .open, "what is open stays open")
        script.session.setToken("new", now: script.now)
        #expect(script.actions() == [] && script.session.url.hasSuffix("token=new"))
    }
}
