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
        /// Writes of the server that came.
        var writes = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            writes += 1
            context.fireChannelRead(data)
        }

        func receive(_ text: UnsafeRawBufferPointer) {
            let line =
                switch try? ServerMessage.decode(text) {
                case .tick(_, _, _, let offset): "t\(offset ?? -1)"
                case .candle(_, let bar, let offset): "\(bar.isFinal ? "F" : "f")\(offset ?? -1)"
                case .snapshot(_, _, _, let position): "S\(position?.offset ?? -1)"
                case .skipped(_, _, let count): "-\(count)"
                case .subscribed: "subscribed"
                default: String(decoding: text, as: UTF8.self)
                }
            messages.append(line)
        }

        func clear() { (messages, writes) = ([], 0) }
    }

    private let time = SimulatedTime()
    private let clients: SimulatedLoop
    let loop: SimulatedLoop
    private let core: MarketCore
    private let reference: ShardReference
    private let admission: StreamAdmission
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

    /// - Parameter readers: each reads the minutes of the one market.
    init(readers count: Int, minSaving: Int = 5000) throws {
        let (market, loop) = (time.makeLoop(), time.makeLoop())
        self.loop = loop
        clients = time.makeLoop()
        reference = ShardReference(index: 0, loop: loop, minSaving: minSaving)
        let (registry, shards) = (MarketRegistry([Market(symbol: "BTC-USD", precision: 2)]), [reference])
        core = try time.wait(needsLoops: true) {
            try await MarketCore(registry: registry, loop: market, shards: shards) { _, _ in }
        }
        let configuration = ServerConfiguration(
            feed: .simulated(symbols: ["BTC-USD"]), seed: 1, dataDirectory: NSTemporaryDirectory())
        admission = StreamAdmission(
            access: AccessControl(configuration), limiter: ClientLimiter(configuration.limits.clients),
            origins: configuration.originPolicy)
        for _ in 0..<count {
            try connect()
            subscribe(readers.count - 1)
        }
        settle()
        for reader in readers { reader.client.clear() }
    }

    private func connect() throws {
        let link = SimulatedLink(server: loop, client: clients, latency: 0)
        let socket = WebSocketHandler(role: .server, configuration: .server)
        try link.server.pipeline.syncOperations.addHandler(socket)
        let (client, end) = (Client(), WebSocketHandler(role: .client, configuration: .client))
        end.delegate = WebSocketCallbacks(onText: { text, _ in client.receive(text) })
        try link.client.pipeline.syncOperations.addHandlers([client, end])
        let connection = shard.add { id in
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
        var request = #"{"action":"subscribe","symbol":"BTC-USD","timeframe":"\#(timeframe)","history":0\#(more)}"#
        request.withUTF8 {
            readers[reader].connection.webSocketText(UnsafeRawBufferPointer($0), on: readers[reader].socket)
        }
    }

    /// A reader's subscription begins anew at this place among the messages.
    func beginAgain(_ reader: Int) {
        let connection = readers[reader].connection
        connection.outstanding += 1
        publisher.subscribe(
            connection.id, to: StreamKey(market: 0, timeframe: .m1),
            request: StreamRequest(
                message: SubscribeRequest(symbol: "BTC-USD", timeframe: .m1), number: connection.lastRequest)
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
