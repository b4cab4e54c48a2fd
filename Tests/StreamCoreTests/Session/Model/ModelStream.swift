import MarketModel
import StreamCore

/// The truth about one stream: what the server has made of its market's ticks, and what it published under which offset.
final class ModelStream {
    enum Published: Equatable {
        case tick(Tick)
        case candle(Bar)
    }

    /// One epoch's messages; old ones are forgotten.
    private struct Epoch {
        var name: String
        /// Final candles there were when it began.
        var base: Int
        var first = 1
        var messages: [(what: Published, finals: Int)] = []
    }

    let key: StreamKey
    private(set) var finals: [Candle] = []
    private(set) var forming: Candle?
    private(set) var lastTick: Tick?
    /// Final candles and corrections ever made: the number of the last one.
    private(set) var finalCount = 0
    private var revisions: [Double: Int] = [:]
    private var epochs: [Epoch] = []

    static let kept = 400

    init(_ key: StreamKey) {
        self.key = key
    }

    /// What a snapshot shows.
    func candles(_ history: Int) -> [Candle] {
        Array((finals + (forming.map { [$0] } ?? [])).suffix(max(history, 1)))
    }

    // MARK: Making

    /// Accepts a tick.
    /// - Returns: the candle that it ended.
    func ingest(_ tick: Tick) -> Bar? {
        lastTick = tick
        let start = key.timeframe.bucketStart(of: tick.timestamp)
        if var bar = forming, bar.timestamp == start {
            bar.high = max(bar.high, tick.price)
            bar.low = min(bar.low, tick.price)
            bar.close = tick.price
            bar.volume += tick.volume
            forming = bar
            return nil
        }
        let ended = forming
        forming = Candle(
            timestamp: start, open: tick.price, high: tick.price, low: tick.price, close: tick.price,
            volume: tick.volume)
        guard let ended else { return nil }
        finals.append(ended)
        if finals.count > Self.kept {
            revisions[finals.removeFirst().timestamp] = nil
        }
        return finish(ended, revision: 0)
    }

    /// A late tick changes a candle that had ended.
    func correct(_ age: Int) -> Bar? {
        guard age < finals.count else { return nil }
        let index = finals.count - 1 - age
        finals[index].high += 1
        finals[index].volume += 1
        let revision = (revisions[finals[index].timestamp] ?? 0) + 1
        revisions[finals[index].timestamp] = revision
        return finish(finals[index], revision: revision)
    }

    private func finish(_ candle: Candle, revision: Int) -> Bar {
        finalCount += 1
        return Bar(
            timeframe: key.timeframe, candle: candle, isFinal: true, revision: revision,
            quality: revision > 0 ? .corrected : .complete)
    }

    /// Everything is forgotten: a recording begins anew.
    func clear() {
        finals = []
        forming = nil
        revisions = [:]
        lastTick = nil
    }

    // MARK: The log

    func begin(epoch: String) {
        epochs.append(Epoch(name: epoch, base: finalCount))
        if epochs.count > 8 { epochs.removeFirst() }
    }

    func publish(_ what: Published) {
        guard !epochs.isEmpty else { return }
        let last = epochs.count - 1
        epochs[last].messages.append((what, finalCount))
        if epochs[last].messages.count > 6000 {
            epochs[last].messages.removeFirst(3000)
            epochs[last].first += 3000
        }
    }

    var lastEpoch: String { epochs.last?.name ?? "" }

    private func epoch(_ name: String) -> Epoch? { epochs.last { $0.name == name } }

    /// What was published there.
    func message(at position: StreamPosition) -> Published? {
        guard let epoch = epoch(position.epoch) else { return nil }
        let index = Int(position.offset) - epoch.first
        return epoch.messages.indices.contains(index) ? epoch.messages[index].what : nil
    }

    /// The number of the last final candle at a position.
    func finals(at position: StreamPosition) -> Int? {
        guard let epoch = epoch(position.epoch) else { return nil }
        if position.offset == 0 { return epoch.base }
        let index = Int(position.offset) - epoch.first
        return epoch.messages.indices.contains(index) ? epoch.messages[index].finals : nil
    }
}
