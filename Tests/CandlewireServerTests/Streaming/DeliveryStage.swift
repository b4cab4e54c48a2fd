import Foundation
import MarketFeeds
import MarketModel
import NIOCore
import StreamCore
import WebSocketTransport

@testable import CandlewireServer

/// A publisher and the readers of one event loop with their WebSocket frames, by a manual clock.
final class DeliveryStage {
    /// What a client got, as a transcript: `t3` is a tick at offset 3, `F4` a final candle, `f5` a forming one, `-2` two messages
    /// that were left out, `S0` a snapshot at offset 0.
    final class Client: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        var messages: [String] = []
        /// The same with all that is in them.
        var contents: [ServerMessage] = []
        /// Where it is in the stream.
        private(set) var position: StreamPosition?
        /// Messages that came in binary.
        var binary = 0
        /// Writes of the server that came.
        var writes = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            writes += 1
            context.fireChannelRead(data)
        }

        func receive(_ text: UnsafeRawBufferPointer) { note(try? ServerMessage.decode(text), text) }

        func receiveBinary(_ bytes: UnsafeRawBufferPointer) {
            binary += 1
            note(try? ServerMessage.decode(binary: bytes), bytes)
        }

        private func note(_ message: ServerMessage?, _ text: UnsafeRawBufferPointer) {
            if let message { contents.append(message) }
            switch message {
            case .snapshot(_, _, _, let position): self.position = position
            case .tick(_, _, _, let offset?), .candle(_, _, let offset?): position?.offset = offset
            default: break
            }
            let line =
                switch message {
                case .tick(_, _, _, let offset): "t\(offset ?? -1)"
                case .candle(_, let bar, let offset): "\(bar.isFinal ? "F" : "f")\(offset ?? -1)"
                case .snapshot(_, _, _, let position): "S\(position?.offset ?? -1)"
                case .skipped(_, _, let count): "-\(count)"
                case .subscribed: "subscribed"
                default: String(decoding: text, as: UTF8.self)
                }
            messages.append(line)
        }

        func clear() { (messages, contents, binary, writes) = ([], [], 0, 0) }
    }

    private let time = SimulatedTime()
    private let clients: SimulatedLoop
    let loop: SimulatedLoop
    private let core: MarketCore
    private let reference: ShardReference
    private let admission: StreamAdmission
    private let symbol: String
    private(set) var readers: [(connection: StreamConnection, socket: WebSocketHandler, client: Client)] = []
    /// The clients' handlers live as long as this.
    private var links: [SimulatedLink] = []

    var publisher: StreamPublisher { core.onLoop.publisher }
    var shard: StreamShard { reference.onLoop }
    /// The first message of the stream that everybody reads, as the loop collects it.
    var oneTick: Mailbox<ByteBuffer, StreamShard.Event>.Item {
        let frame = ByteBuffer(bytes: [0x81, 2, 0x7B, 0x7D])
        let slot = StreamKey(market: 0, timeframe: .m1).slot
        return .messages(epoch: 1, [StreamMessage(kind: .tick, stream: slot, offset: 1, payload: frame, size: 4)])
    }

    /// - Parameters:
    ///   - readers: each reads the minutes of the one market.
    ///   - binary: how many more read them in binary.
    init(readers count: Int, binary: Int = 0, minSaving: Int = 5000, symbol: String = "BTC-USD") throws {
        let (market, loop) = (time.makeLoop(), time.makeLoop())
        self.loop = loop
        clients = time.makeLoop()
        reference = ShardReference(index: 0, loop: loop, minSaving: minSaving)
        let (registry, shards) = (MarketRegistry([Market(symbol: symbol, precision: 2)]), [reference])
        core = try time.wait(needsLoops: true) {
            try await MarketCore(registry: registry, loop: market, shards: shards) { _, _ in }
        }
        let configuration = ServerConfiguration(
            feed: .simulated(symbols: [symbol]), seed: 1, dataDirectory: NSTemporaryDirectory())
        admission = StreamAdmission(
            access: AccessControl(configuration), limiter: ClientLimiter(configuration.limits.clients),
            origins: configuration.originPolicy)
        self.symbol = symbol
        for number in 0..<count + binary {
            try connect(number < count ? .json : .binary)
            subscribe(number)
        }
        settle()
        for reader in readers { reader.client.clear() }
    }

    private func connect(_ encoding: StreamEncoding) throws {
        let link = SimulatedLink(server: loop, client: clients, latency: 0)
        let socket = WebSocketHandler(role: .server, configuration: .server)
        try link.server.pipeline.syncOperations.addHandler(socket)
        let (client, end) = (Client(), WebSocketHandler(role: .client, configuration: .client))
        end.delegate = WebSocketCallbacks(
            onText: { text, _ in client.receive(text) }, onBinary: { bytes, _ in client.receiveBinary(bytes) })
        try link.client.pipeline.syncOperations.addHandlers([client, end])
        let connection = shard.add(encoding) { id in
            StreamConnection(
                id: id, socket: socket, core: core, shard: shard, loop: loop, admission: admission,
                address: .machine, key: nil)
        }
        socket.delegate = connection
        link.open()
        links.append(link)
        readers.append((connection, socket, client))
    }

    /// What a client's request does, once everybody has had time.
    func subscribe(_ reader: Int, timeframe: String = "1m", more: String = "") {
        var request = #"{"action":"subscribe","symbol":"\#(symbol)","timeframe":"\#(timeframe)","history":0\#(more)}"#
        request.withUTF8 {
            readers[reader].connection.webSocketText(UnsafeRawBufferPointer($0), on: readers[reader].socket)
        }
    }

    /// A reader's subscription begins anew at this place among the messages.
    func beginAgain(_ reader: Int, recover: StreamPosition? = nil) {
        let connection = readers[reader].connection
        connection.outstanding += 1
        publisher.subscribe(
            connection.id, to: StreamKey(market: 0, timeframe: .m1),
            request: StreamRequest(
                message: SubscribeRequest(symbol: symbol, timeframe: .m1, recover: recover),
                number: connection.lastRequest)
        ) { [] }
    }

    /// Everybody has time, and none passes.
    func settle() { time.advance(by: 0) }

    /// Nobody has time for so long.
    func sleep(_ seconds: Double) { time.stall(for: seconds) }

    /// Publishes `t` for a tick, `F` and `f` for a candle, in one turn of the market loop. The readers' loop has no time yet.
    func publish(_ kinds: String) {
        for kind in kinds {
            let candle = Candle(timestamp: 1_700_000_040, open: 1, high: 1, low: 1, close: 1, volume: 1)
            switch kind {
            case "t": publisher.publish(Tick(timestamp: 1_700_000_041, price: 1, volume: 1), market: 0)
            default:
                publisher.publish(
                    Bar(timeframe: .m1, candle: candle, isFinal: kind == "F", revision: 0, quality: .complete),
                    market: 0)
            }
        }
        publisher.flush()
    }

    /// Runs a test on a thread of its own: the loops of a stage belong to one.
    static func run(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.start()
        }
    }
}
