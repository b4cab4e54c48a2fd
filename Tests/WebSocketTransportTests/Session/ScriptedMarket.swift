import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import StreamCore
import WebSocketTransport

/// A server of the stream protocol whose every move is the test's: it trades on request, drops connections, forgets,
/// refuses. One-minute candles of two symbols.
final class ScriptedMarket: Sendable {
    private struct Stream {
        var epoch = "e1"
        var offset: Int64 = 0
        var series = CandleSeries()
        /// The messages of this epoch that can be replayed, each with its offset.
        var ring: [(offset: Int64, text: String)] = []
    }

    private struct State {
        var streams = ["BTC-USD": Stream(), "ETH-USD": Stream()]
        var sockets: [Int: NIOLoopBound<WebSocketHandler>] = [:]
        var subscribed: [Int: Set<String>] = [:]
        var channels: [Int: Set<ChannelKey>] = [:]
        /// What was published on each channel, for its snapshots.
        var published: [ChannelKey: [String]] = [:]
        var lastSocket = 0
        var refusals: [HTTPResponseStatus] = []
        var token: String?
    }

    /// What clients did: `open`, `auth`, `subscribe BTC-USD`, `unsubscribe BTC-USD`, `closed 1000`.
    let log = Happenings()
    private let state = NIOLockedValueBox(State())

    // MARK: The script

    /// One trade: sends the tick, and the candle that it changed (before it the final one where it begins another).
    func trade(_ symbol: String = "BTC-USD", at timestamp: Double, _ price: Double) {
        state.withLockedValue { state in
            guard var stream = state.streams[symbol] else { return }
            let start = Timeframe.m1.bucketStart(of: timestamp)
            var candle = Candle(timestamp: start, open: price, high: price, low: price, close: price, volume: 1)
            if let last = stream.series.last {
                if last.timestamp == start {
                    candle = last
                    candle.high = max(candle.high, price)
                    candle.low = min(candle.low, price)
                    candle.close = price
                    candle.volume += 1
                } else {
                    publish(last, isFinal: true, symbol, &stream, state)
                }
            }
            let tick = Tick(timestamp: timestamp, price: price, volume: 1)
            stream.offset += 1
            let offset = stream.offset
            send(
                written {
                    ServerMessageWriter.tick(
                        tick, symbol: ServerMessageWriter.symbolJSON(symbol), timeframe: .m1, offset: offset, into: &$0)
                }, symbol, &stream, state)
            stream.series.place(candle)
            publish(candle, isFinal: false, symbol, &stream, state)
            state.streams[symbol] = stream
        }
    }

    private func publish(_ candle: Candle, isFinal: Bool, _ symbol: String, _ stream: inout Stream, _ state: State) {
        stream.offset += 1
        let offset = stream.offset
        let bar = Bar(timeframe: .m1, candle: candle, isFinal: isFinal, revision: 0, quality: .complete)
        send(
            written {
                ServerMessageWriter.candle(
                    bar, symbol: ServerMessageWriter.symbolJSON(symbol), offset: offset, into: &$0)
            }, symbol, &stream, state)
    }

    private func send(_ text: String, _ symbol: String, _ stream: inout Stream, _ state: State) {
        stream.ring.append((stream.offset, text))
        for (number, symbols) in state.subscribed where symbols.contains(symbol) {
            say(text, to: state.sockets[number])
        }
    }

    /// Everything that goes out goes in the order of the lock.
    private func say(_ text: String, to socket: NIOLoopBound<WebSocketHandler>?) {
        socket?.eventLoop.execute { _ = socket?.value.send(text: text) }
    }

    /// Something happens on a channel; the sequence counts what was published on it.
    func publish(_ key: ChannelKey, _ what: String, padding: Int = 0) {
        state.withLockedValue { state in
            state.published[key, default: []].append(what)
            let filler = String(repeating: "x", count: padding)
            let text = message("\(key.channel.name)", key, state, ",\"what\":\"\(what)\",\"filler\":\"\(filler)\"")
            for (number, keys) in state.channels where keys.contains(key) { say(text, to: state.sockets[number]) }
        }
    }

    private func message(_ type: String, _ key: ChannelKey, _ state: State, _ rest: String) -> String {
        let account = key.account.map { ",\"account\":\"\($0)\"" } ?? ""
        let sequence = state.published[key, default: []].count
        return "{\"type\":\"\(type)\",\"channel\":\"\(key.channel.name)\"\(account),\"sequence\":\(sequence)\(rest)}"
    }

    private func subscribe(_ key: ChannelKey, _ id: RequestID?, _ number: Int, _ state: inout State) {
        let socket = state.sockets[number]
        guard key.account != "paper-nobody" else {
            let error = WireError(
                .unknownAccount, field: "account", message: "There is no such account.", requestID: id)
            return say(written { ServerMessageWriter.error(error, into: &$0) }, to: socket)
        }
        let published = state.published[key, default: []]
        say(
            written { ServerMessageWriter.subscribed(id: id, to: key, sequence: Int64(published.count), into: &$0) },
            to: socket)
        say(message("snapshot", key, state, ",\"what\":\"\(published.joined(separator: " "))\""), to: socket)
        state.channels[number, default: []].insert(key)
    }

    /// A text to every connection.
    func say(_ text: String) {
        state.withLockedValue { for socket in $0.sockets.values { say(text, to: socket) } }
    }

    /// Cuts every connection without a word.
    func drop() {
        state.withLockedValue { state in
            for socket in state.sockets.values { socket.eventLoop.execute { socket.value.terminate() } }
        }
    }

    func close(_ code: WebSocketCloseCode, reason: String = "") {
        state.withLockedValue { state in
            for socket in state.sockets.values { socket.eventLoop.execute { socket.value.close(code, reason: reason) } }
        }
    }

    /// Continuity is lost: what was missed cannot be replayed.
    func restart(_ symbol: String = "BTC-USD") {
        state.withLockedValue { state in
            state.streams[symbol]?.epoch += "x"
            state.streams[symbol]?.offset = 0
            state.streams[symbol]?.ring = []
        }
    }

    /// Answers the next handshakes with these.
    func refuse(_ statuses: HTTPResponseStatus...) {
        state.withLockedValue { $0.refusals += statuses }
    }

    /// From now on only this token is good.
    func demand(token: String) {
        state.withLockedValue { $0.token = token }
    }

    func series(_ symbol: String = "BTC-USD") -> CandleSeries {
        state.withLockedValue { $0.streams[symbol]?.series ?? CandleSeries() }
    }

    // MARK: The server

    /// Runs it on a free port while `body` uses it.
    static func with(_ body: (ScriptedMarket, _ url: String) async throws -> Void) async throws {
        let market = ScriptedMarket()
        let upgrade = WebSocketServerUpgrade(
            shouldUpgrade: { _ in
                market.state.withLockedValue { state in
                    state.refusals.isEmpty ? .accept() : .refuse(state.refusals.removeFirst())
                }
            },
            onOpen: { socket, _ in
                guard let eventLoop = socket.channel?.eventLoop else { return }
                socket.delegate = Peer(market, market.opened(NIOLoopBound(socket, eventLoop: eventLoop)))
            })
        try await LoopbackServer.with(upgrade) { server in
            try await body(market, server.url)
        }
    }

    private func opened(_ socket: NIOLoopBound<WebSocketHandler>) -> Int {
        let number = state.withLockedValue { state in
            state.lastSocket += 1
            state.sockets[state.lastSocket] = socket
            return state.lastSocket
        }
        log.note("open")
        return number
    }

    private func received(_ text: UnsafeRawBufferPointer, on number: Int) {
        guard let message = try? ClientMessage.decode(text) else { return log.note("nonsense") }
        state.withLockedValue { state in
            let socket = state.sockets[number]
            switch message {
            case .auth(let token):
                if state.token == nil || state.token == token {
                    say(written { ServerMessageWriter.authenticated(into: &$0) }, to: socket)
                } else {
                    socket?.eventLoop.execute { socket?.value.close(.unauthorized, reason: "unauthorized") }
                }
            case .subscribe(let request): subscribe(request, number, &state)
            case .unsubscribe(let symbol, _, _): state.subscribed[number]?.remove(symbol)
            case .subscribeChannel(let key, let id, _): subscribe(key, id, number, &state)
            case .unsubscribeChannel(let key, _): state.channels[number]?.remove(key)
            case .ping(let id): say(written { ServerMessageWriter.pong(id: id, into: &$0) }, to: socket)
            }
        }
        switch message {
        case .auth: log.note("auth")
        case .subscribe(let request): log.note("subscribe \(request.symbol)")
        case .unsubscribe(let symbol, _, _): log.note("unsubscribe \(symbol)")
        case .subscribeChannel(let key, _, _): log.note("subscribe \(key.channel.name)")
        case .unsubscribeChannel(let key, _): log.note("unsubscribe \(key.channel.name)")
        case .ping: break
        }
    }

    private func subscribe(_ request: SubscribeRequest, _ number: Int, _ state: inout State) {
        let socket = state.sockets[number]
        let name = ServerMessageWriter.symbolJSON(request.symbol)
        guard let stream = state.streams[request.symbol] else {
            let error = WireError(
                .unknownSymbol, field: "symbol", message: "There is no such symbol.", requestID: request.id)
            return say(written { ServerMessageWriter.error(error, into: &$0) }, to: socket)
        }
        let isRecovered = request.recover?.epoch == stream.epoch
        let position = StreamPosition(epoch: stream.epoch, offset: stream.offset)
        say(
            written {
                ServerMessageWriter.subscribed(
                    id: request.id, symbol: name, timeframe: .m1, position: position, recovered: isRecovered, into: &$0)
            }, to: socket)
        if isRecovered, let recover = request.recover {
            for message in stream.ring where message.offset > recover.offset { say(message.text, to: socket) }
        } else {
            let all = stream.series
            let candles = (max(0, all.count - request.history)..<all.count).map { all[$0] }
            say(
                written {
                    ServerMessageWriter.snapshot(
                        symbol: name, timeframe: .m1, candles: candles, position: position, into: &$0)
                }, to: socket)
        }
        state.subscribed[number, default: []].insert(request.symbol)
    }

    private func closed(_ number: Int, _ code: WebSocketCloseCode) {
        state.withLockedValue { state in
            state.sockets[number] = nil
            state.subscribed[number] = nil
            state.channels[number] = nil
        }
        log.note("closed \(code.rawValue)")
    }

    private final class Peer: WebSocketHandlerDelegate {
        private let market: ScriptedMarket
        private let number: Int

        init(_ market: ScriptedMarket, _ number: Int) {
            self.market = market
            self.number = number
        }

        func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
            market.received(text, on: number)
        }

        func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
            market.closed(number, code)
        }
    }
}

/// What was written, as text.
func written(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
}
