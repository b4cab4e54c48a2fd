import NIOCore
import StreamCore

/// Who reads which channel, and the way to them. Confined to the market loop.
///
/// A message is written and framed once, and only where somebody reads it.
final class ChannelHub {
    private let shards: [ShardReference]
    /// Readers on each shard.
    private var readers: [ChannelKey: [Set<ConnectionID>]] = [:]
    private var keys: [ConnectionID: Set<ChannelKey>] = [:]
    private var scratch: [UInt8] = []

    init(shards: [ShardReference]) {
        self.shards = shards
    }

    // MARK: Readers

    /// Answers a request, and from now on sends the reader what is published.
    /// - Parameter messages: writes what comes before everything else: the answer, then the snapshot.
    func begin(_ id: ConnectionID, _ request: ChannelRequest, _ messages: [(inout [UInt8]) -> Void]) {
        let key = request.key
        readers[key, default: shards.map { _ in [] }][id.shard].insert(id)
        keys[id, default: []].insert(key)
        let frames = messages.map { frame($0) }
        shards[id.shard].begin(id, ChannelStart(request: request, outcome: .success(frames)))
    }

    func refuse(_ id: ConnectionID, _ request: ChannelRequest, _ error: WireError) {
        var error = error
        error.requestID = request.id
        remove(id, from: request.key)
        shards[id.shard].begin(id, ChannelStart(request: request, outcome: .failure(error)))
    }

    func remove(_ id: ConnectionID, from key: ChannelKey) {
        guard keys[id]?.remove(key) != nil else { return }
        if keys[id]?.isEmpty == true { keys[id] = nil }
        readers[key]?[id.shard].remove(id)
        if readers[key]?.allSatisfy(\.isEmpty) == true { readers[key] = nil }
    }

    func remove(_ id: ConnectionID) {
        for key in keys[id] ?? [] { remove(id, from: key) }
    }

    func hasReaders(_ key: ChannelKey) -> Bool { readers[key] != nil }

    /// Keys that somebody reads.
    var activeKeys: [ChannelKey] { Array(readers.keys) }

    // MARK: Publishing

    /// Sends a message to all readers of a channel.
    /// - Parameter isState: only the latest such message counts; `nil`: as the channel has it. A snapshot that everybody gets
    ///   is none: it goes in order.
    func publish(_ key: ChannelKey, isState: Bool? = nil, _ write: (inout [UInt8]) -> Void) {
        guard let readers = readers[key] else { return }
        let frame = frame(write)
        for (shard, audience) in readers.enumerated() where !audience.isEmpty {
            shards[shard].deliver(frame, of: key, isState: isState ?? key.channel.isState)
        }
    }

    private func frame(_ write: (inout [UInt8]) -> Void) -> ByteBuffer {
        scratch.removeAll(keepingCapacity: true)
        write(&scratch)
        var frame = ByteBuffer()
        frame.writeFrame(text: scratch)
        return frame
    }
}
