import NIOCore
import StreamCore

/// Who reads which channel, and the way to them. Confined to the market loop.
///
/// A message is written and framed once, and only where it has readers.
final class ChannelHub {
    private let shards: [ShardReference]
    /// Readers on each shard.
    private var readers: [ChannelKey: [Set<ConnectionID>]] = [:]
    private var keys: [ConnectionID: Set<ChannelKey>] = [:]
    private var scratch: [UInt8] = []

    init(shards: [ShardReference]) { self.shards = shards }

    // MARK: Readers

    /// Answers a request, and from now on sends the reader what is published.
    /// - Parameter messages: writes what comes before everything else: the answer, then the snapshot.
    func begin(_ id: ConnectionID, _ request: ChannelRequest, _ messages: [(inout [UInt8]) -> Void]) {
        let key = request.key
        readers[key, default: shards.map { _ in [] }][id.shard].insert(id)
        keys[id, default: []].insert(key)
        let frames = messages.map { frame($0) }
        begin(id, ChannelStart(request: request, outcome: .success(frames)))
    }

    func refuse(_ id: ConnectionID, _ request: ChannelRequest, _ error: WireError) {
        var error = error
        error.requestID = request.id
        remove(id, from: request.key)
        begin(id, ChannelStart(request: request, outcome: .failure(error)))
    }

    private func begin(_ id: ConnectionID, _ start: ChannelStart) { shards[id.shard].run { $0.begin(id, start) } }

    func refuse(_ id: ConnectionID, _ request: ChannelRequest, _ code: WireError.Code, _ error: APIError) {
        refuse(id, request, WireError(code, field: error.field, message: error.message))
    }

    func remove(_ id: ConnectionID, from key: ChannelKey) {
        guard keys[id]?.remove(key) != nil else { return }
        if keys[id]?.isEmpty == true { keys[id] = nil }
        readers[key]?[id.shard].remove(id)
        if readers[key]?.allSatisfy(\.isEmpty) == true { readers[key] = nil }
    }

    func remove(_ id: ConnectionID) { for key in keys[id] ?? [] { remove(id, from: key) } }

    func hasReaders(_ key: ChannelKey) -> Bool { readers[key] != nil }

    /// Keys with readers.
    var activeKeys: [ChannelKey] { Array(readers.keys) }

    // MARK: Publishing

    /// Sends a message to all readers of a channel.
    /// - Parameter isState: only the latest such message counts; `nil`: as the channel has it. A snapshot that every reader gets
    ///   is none: it goes in order.
    func publish(_ key: ChannelKey, isState: Bool? = nil, _ write: (inout [UInt8]) -> Void) {
        guard let readers = readers[key] else { return }
        let (frame, isState) = (frame(write), isState ?? key.channel.isState)
        for (shard, audience) in readers.enumerated() where !audience.isEmpty {
            shards[shard].run { $0.deliver(frame, of: key, isState: isState) }
        }
    }

    /// A message of this type: what every message of a channel begins with, and these members.
    func publish(_ type: StaticString, _ key: ChannelKey, sequence: Int64? = nil, _ members: (inout [UInt8]) -> Void) {
        publish(key) { sink in
            ServerMessageWriter.channelHead(type, key, sequence: sequence, into: &sink)
            members(&sink)
            sink.json("}")
        }
    }

    private func frame(_ write: (inout [UInt8]) -> Void) -> ByteBuffer { ByteBuffer(framedIn: &scratch, write) }
}

/// A subscription to a channel on its way to the market loop and back.
struct ChannelRequest: Sendable {
    var key: ChannelKey
    var id: RequestID?
    /// Counts a connection's requests: an answer to an older one than the last is out of date.
    var number: Int
}

/// What a subscription to a channel begins with: its answer and its snapshot, as frames; or why there is none.
struct ChannelStart: Sendable {
    var request: ChannelRequest
    var outcome: Result<[ByteBuffer], WireError>
}

/// Where a channel's snapshots come from. Confined to the market loop.
protocol ChannelSource: AnyObject {
    /// Begins a subscription, now or when what it would show is on disk: with `ChannelHub.begin` or `refuse`.
    func begin(_ id: ConnectionID, _ request: ChannelRequest, on hub: ChannelHub)
    /// Cancels what a reader left.
    func cancel(_ orders: LeftOrders)
}

/// Accounts whose open orders are to be cancelled, since the connection that guarded them ended.
struct LeftOrders: Sendable {
    var accounts: [String]
    /// Whose connection it was.
    var principal: String
    var address: String
}
