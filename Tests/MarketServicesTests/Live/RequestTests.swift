import HTTPTransport
import MarketModel
import MarketServices
import StreamCore
import Synchronization
import TestKit
import Testing
import TradingCore
import WebSocketTransport

/// The live services' requests, against a scripted server: no network, and no waiting.
@Suite("Live requests", .timeLimit(.minutes(15)))
struct RequestTests {
    static let market = """
        {"symbol":"BTC/USD","base":"BTC","quote":"USD","precision":2,"price":67234.5,"bid":67234.4,"ask":67234.6,
        "timestamp":1.5,"open_24h":null,
        "high_24h":68000,"low_24h":66000,"volume_24h":12.5,"change_24h":null,"change_percent_24h":null,"sparkline":[1,2]}
        """
    static let order = """
        {"id":"paper-main-o1","client_order_id":"a","account":"paper-main","mode":"paper","symbol":"BTC-USD","side":"buy",
        "type":"limit","time_in_force":"gtc","status":"new","quantity":"1","filled_quantity":"0","limit_price":"5",
        "leverage":1,"post_only":false,"reduce_only":false,"created_at":1,"updated_at":1,"version":1}
        """

    static let position = """
        {"id":"paper-main-BTC-USD","account":"paper-main","mode":"paper","symbol":"BTC/USD","side":"long","size":"0.05",
        "entry_price":"65000","mark_price":"67234.55","unrealized_pnl":"111.725","unrealized_pnl_percent":"17.1885",
        "price_percent":"3.4377","leverage":5,"margin":"650","liquidation_price":"52325","realized_pnl":"0",
        "take_profit":"70000","currency":"USD","created_at":1732130000,"updated_at":1732130001}
        """

    /// A container whose requests are answered by `steps`, and whose pauses are remembered and take no time.
    static func container(_ steps: [ScriptedHTTP.Step]) throws -> (LiveServiceContainer<Paper>, ScriptedHTTP, Pauses) {
        let http = ScriptedHTTP(steps)
        let pauses = Pauses()
        var settings = LiveServiceSettings(url: "http://127.0.0.1:1/")
        settings.transport = http.transport
        settings.retry.jitter = 0
        return (try LiveServiceContainer<Paper>(settings, clock: ServiceClock(pauses, startingAt: 1000)), http, pauses)
    }

    /// A clock on which every sleep is over at once.
    final class Pauses: Clock, Sendable {
        typealias Instant = ManualClock.Instant

        private let state = Mutex<(now: Duration, lengths: [Double])>((.zero, []))

        var now: Instant { Instant(state.withLock { $0.now }) }
        var minimumResolution: Duration { .nanoseconds(1) }
        var lengths: [Double] { state.withLock { $0.lengths } }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            state.withLock { state in
                let length = deadline.sinceZero - state.now
                state.lengths.append(((length / .seconds(1)) * 1e6).rounded() / 1e6)
                state.now = max(state.now, deadline.sinceZero)
            }
        }
    }

    @Test("time-out 30 s, and one X-Correlation-ID for a request and its repetitions")
    func headers() async throws {
        let (services, http, pauses) = try Self.container([.fail(.timedOut), .fail(.lost), .json(200, Self.market)])
        let market = try await services.markets.fetchMarket(symbol: "BTC/USD")
        #expect(market.symbol == "BTC/USD" && market.price == 67234.5 && market.open24h == nil)
        #expect(http.requests.map(\.timeout) == [30, 30, 30])
        let ids = http.requests.map { $0.headers["x-correlation-id"] }
        #expect(Set(ids).count == 1 && ids[0]?.count == 36)
        #expect(http.requests[0].url == "http://127.0.0.1:1/v1/markets/BTC%2FUSD")
        #expect(pauses.lengths == [1, 2])
        _ = try await services.markets.fetchMarket(symbol: "BTC/USD")
        #expect(http.requests[3].headers["x-correlation-id"] != ids[0])
    }

    @Test(
        "only failures of the network, time-outs and 503 are tried again, three times in all",
        arguments: [
            (ScriptedHTTP.Step.fail(.notConnected("down")), 3, ServiceError.Kind.network),
            (.fail(.lost), 3, .network), (.fail(.timedOut), 3, .timedOut),
            (.json(503, "{}"), 3, .unavailable), (.fail(.tooLarge), 1, .badAnswer), (.fail(.cancelled), 1, .closed),
            (.json(400, "{}"), 1, .rejected), (.json(401, "{}"), 1, .unauthorized),
            (.json(403, "{}"), 1, .forbidden), (.json(404, "{}"), 1, .notFound), (.json(409, "{}"), 1, .conflict),
            (.json(422, "{}"), 1, .rejected), (.json(429, "{}"), 1, .rateLimited(retryAfter: 60)),
            (.json(429, "{}", headers: ["retry-after": "7"]), 1, .rateLimited(retryAfter: 7)),
            (.json(500, "{}"), 1, .serverFailure), (.json(502, "<html>"), 1, .serverFailure),
            (.json(302, ""), 1, .badAnswer), (.json(200, "[]"), 1, .badAnswer),
        ])
    func mapping(step: ScriptedHTTP.Step, attempts: Int, kind: ServiceError.Kind) async throws {
        let (services, http, _) = try Self.container([step])
        let error = await serviceError { _ = try await services.markets.fetchMarkets() }
        #expect(error?.kind == kind)
        #expect(error?.mayHaveHappened == false)
        #expect(error?.correlationID == http.requests[0].headers["x-correlation-id"])
        #expect(http.requests.count == attempts)
    }

    @Test("an error's code, sentence and field come through")
    func errorDocument() async throws {
        let text = #"{"error":{"code":"invalid_field","message":"Too small.","field":"quantity"}}"#
        let (services, _, _) = try Self.container([.json(422, text)])
        let error = await serviceError { _ = try await services.trading.place(Self.request) }
        #expect(error?.code == "invalid_field" && error?.message == "Too small." && error?.field == "quantity")
    }

    @Test("best prices come through, and a market whose venue sends none has none")
    func bestPrices() async throws {
        let without = Self.market.replacing(#""bid":67234.4,"ask":67234.6,"#, with: "")
        let (services, _, _) = try Self.container([.json(200, Self.market), .json(200, without)])
        let first = try await services.markets.fetchMarket(symbol: "BTC/USD")
        #expect(first.bid == 67234.4 && first.ask == 67234.6)
        let second = try await services.markets.fetchMarket(symbol: "BTC/USD")
        #expect(second.bid == nil && second.ask == nil && second.price == 67234.5)
    }

    @Test(
        "a leverage is sent where it is named, 1 included, and left out where it is not",
        arguments: [(nil, nil), (1, #""leverage":1"#), (5, #""leverage":5"#)] as [(Int?, String?)])
    func leverage(named: Int?, sent: String?) async throws {
        var request = Self.request
        request.leverage = named
        let (services, http, _) = try Self.container([.json(201, Self.order)])
        _ = try await services.trading.place(request)
        let body = String(decoding: http.requests[0].body ?? [], as: UTF8.self)
        #expect(sent.map(body.contains) ?? !body.contains("leverage"))
    }

    static let request = OrderRequest(
        clientOrderID: "a", symbol: "BTC-USD", side: .buy, type: .limit, quantity: 1, limitPrice: 5)

    @Test("placing and closing are repeated with their client order id, the same each time; amending is not")
    func repeats() async throws {
        let (services, http, _) = try Self.container([.fail(.timedOut), .json(503, "{}"), .json(201, Self.order)])
        let order = try await services.trading.place(Self.request)
        #expect(order.id.description == "paper-main-o1")
        #expect(http.requests.count == 3 && Set(http.requests.map(\.body)).count == 1)
        let body = String(decoding: http.requests[0].body ?? [], as: UTF8.self)
        #expect(body.contains(#""client_order_id":"a""#) && body.contains(#""account":"paper-main""#))
        #expect(body.contains(#""limit_price":"5""#))

        let (closing, closed, _) = try Self.container([.fail(.timedOut), .json(201, Self.order)])
        _ = try await closing.trading.closePosition(symbol: "BTC-USD")
        _ = try await closing.trading.closePosition(symbol: "BTC-USD")
        let bodies = closed.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(bodies.count == 3 && bodies[0] == bodies[1] && bodies[1] != bodies[2])
        #expect(bodies[0].hasPrefix(#"{"client_order_id":"close-"#))

        let (other, log, _) = try Self.container([.fail(.timedOut)])
        let error = await serviceError { _ = try await other.trading.amend(order.id, OrderChange(limitPrice: 6)) }
        #expect(log.requests.count == 1)
        #expect(error?.kind == .timedOut && error?.mayHaveHappened == true)
    }

    @Test("cancelling is repeated; of an order that is done by then, its status shows whether the first attempt did it")
    func cancelling() async throws {
        let id = try OrderID<Paper>("paper-main-o1")
        for (status, isCancelled) in [("cancelled", true), ("filled", false)] {
            let (services, http, _) = try Self.container([
                .fail(.timedOut), .json(409, #"{"error":{"code":"order_done","message":"It is done."}}"#),
                .json(200, Self.order.replacing("\"new\"", with: "\"\(status)\"")),
            ])
            let error = await serviceError { _ = try await services.trading.cancel(id) }
            #expect(http.requests.map(\.method) == ["DELETE", "DELETE", "GET"])
            #expect(isCancelled ? error == nil : error?.kind == .conflict)
        }
        let (services, http, _) = try Self.container([.json(409, #"{"error":{"code":"order_done","message":"x"}}"#)])
        #expect(await serviceError { _ = try await services.trading.cancel(id) }?.kind == .conflict)
        #expect(http.requests.count == 1)
    }

    @Test("an attempt that was lost may have been carried out, whatever becomes of the later ones")
    func lostFirst() async throws {
        let (services, http, _) = try Self.container([.fail(.lost), .fail(.notConnected("down"))])
        let error = await serviceError { _ = try await services.trading.place(Self.request) }
        #expect(http.requests.count == 3)
        #expect(error?.kind == .network && error?.mayHaveHappened == true && error?.code == "")
        let (others, _, _) = try Self.container([.fail(.notConnected("down"))])
        let other = await serviceError { _ = try await others.trading.place(Self.request) }
        #expect(other?.mayHaveHappened == false && other?.code == "unreachable")
    }

    @Test("each answer is handed over as it came, also an error and one that cannot be understood")
    func documents() async throws {
        let http = ScriptedHTTP([.json(503, "busy"), .json(200, "[1]"), .json(404, "{}")])
        var settings = LiveServiceSettings(url: "http://127.0.0.1:1")
        settings.transport = http.transport
        let answers = Mutex<[ServerAnswer]>([])
        settings.onAnswer = { answer in answers.withLock { $0.append(answer) } }
        let services = try LiveServiceContainer<Paper>(settings, clock: ServiceClock(Pauses(), startingAt: 0))
        let error = await serviceError { _ = try await services.markets.fetchMarkets() }
        #expect(error?.message.hasSuffix("cannot be understood: it is not the expected document.") == true)
        _ = await serviceError { _ = try await services.markets.fetchMarkets() }
        #expect(answers.withLock { $0.map(\.status) } == [503, 200, 404])
        #expect(answers.withLock { $0[1].body } == Array("[1]".utf8))
    }

    @Test("a bracket has null for an order to remove; an amendment leaves out what stays")
    func bodies() async throws {
        let (services, http, _) = try Self.container([.json(200, Self.position), .json(200, Self.order)])
        try await services.trading.setBracket(symbol: "BTC/USD", takeProfit: 70_000, stopLoss: nil)
        let id = try OrderID<Paper>("paper-main-o1")
        _ = try await services.trading.amend(id, OrderChange(limitPrice: ExactDecimal("1.5"), version: 3))
        let bodies = http.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
        #expect(bodies == [#"{"stop_loss":null,"take_profit":"70000"}"#, #"{"limit_price":"1.5","version":3}"#])
        #expect(
            http.requests.map(\.url) == [
                "http://127.0.0.1:1/v1/positions/BTC%2FUSD/bracket?account=paper-main",
                "http://127.0.0.1:1/v1/orders/paper-main-o1?account=paper-main",
            ])
    }

    @Test("two orders under way at the same time are two requests, and each gets its own answer")
    func noDeduplication() async throws {
        let gate = Gate()
        var settings = LiveServiceSettings(url: "http://127.0.0.1:1")
        settings.transport = HTTPTransport {
            (request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
            // No client is answered before all have sent a request.
            await gate.arrive(of: 4)
            let text = String(decoding: request.body ?? [], as: UTF8.self)
            if request.method == "GET" {
                let symbol = request.url.hasSuffix("BTC%2FUSD") ? "BTC/USD" : "ETH/USD"
                return HTTPTransportAnswer(
                    status: 200, body: Array(Self.market.replacing("BTC/USD", with: symbol).utf8))
            }
            let number = text.contains(#""client_order_id":"one""#) ? 1 : 2
            return HTTPTransportAnswer(status: 201, body: Array(Self.order.replacing("-o1", with: "-o\(number)").utf8))
        }
        let services = try LiveServiceContainer<Paper>(settings)
        var one = Self.request
        one.clientOrderID = "one"
        var two = Self.request
        two.clientOrderID = "two"
        async let first = services.trading.place(one)
        async let second = services.trading.place(two)
        async let bitcoin = services.markets.fetchMarket(symbol: "BTC/USD")
        async let ether = services.markets.fetchMarket(symbol: "ETH/USD")
        #expect(try await (first.id.number, second.id.number) == (1, 2))
        #expect(try await (bitcoin.symbol, ether.symbol) == ("BTC/USD", "ETH/USD"))
    }

    /// Opens when so many have come.
    actor Gate {
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func arrive(of count: Int) async {
            if waiting.count + 1 == count {
                for continuation in waiting { continuation.resume() }
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    @Test("a token is requested with each attempt; without one nothing is sent")
    func tokens() async throws {
        struct NoToken: Error {}
        let http = ScriptedHTTP([.json(503, "{}"), .json(200, Self.market)])
        let count = Mutex(0)
        var settings = LiveServiceSettings(url: "http://127.0.0.1:1")
        settings.transport = http.transport
        settings.authorization = {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number > 2 { throw NoToken() }
            return "t\(number)"
        }
        let services = try LiveServiceContainer<Paper>(settings, clock: ServiceClock(Pauses(), startingAt: 0))
        _ = try await services.markets.fetchMarket(symbol: "BTC/USD")
        #expect(http.requests.map { $0.headers["authorization"] } == ["Bearer t1", "Bearer t2"])
        let error = await serviceError { _ = try await services.markets.fetchMarkets() }
        #expect(error?.kind == .unauthorized)
        #expect(http.requests.count == 2)
    }

    @Test("an order of another mode is not one of ours", arguments: ["live-main-o1", "main-o1", "paper-main-f1", ""])
    func otherMode(id: String) async throws {
        let (services, _, _) = try Self.container([
            .json(200, Self.order.replacing("\"paper-main-o1\"", with: "\"\(id)\""))
        ])
        let error = await serviceError { _ = try await services.trading.place(Self.request) }
        #expect(error?.kind == .badAnswer)
    }

    @Test(
        "what cannot be a URL or an account is refused before anything is sent", arguments: ["", "ftp://x", "http://"])
    func badAddress(url: String) async {
        let error = await serviceError { _ = try LiveServiceContainer<Paper>(LiveServiceSettings(url: url)) }
        #expect(error?.kind == .rejected)
        let other = await serviceError {
            _ = try LiveServiceContainer<Paper>(LiveServiceSettings(url: "http://127.0.0.1", account: "a-b"))
        }
        #expect(other?.field == "account")
    }

    @Test("heartbeat 30 s; reconnection from 1 s to 60 s, 10 attempts, then one a minute")
    func streamDefaults() {
        let session = LiveServiceSettings(url: "http://127.0.0.1").stream.session
        #expect(session.heartbeat.interval == 30)
        #expect(session.backoff.base == 1 && session.backoff.cap == 60)
        #expect(session.backoff.attempts == 10 && session.backoff.slowRetry == 60)
    }
}
