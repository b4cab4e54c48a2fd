public import MarketModel

/// The candle builders of many streams, one for each symbol and timeframe, for as long as they are used.
///
/// ```swift
/// var builders = BuilderPool()
/// let result = builders.ingest(tick, symbol: "BTC-USD", timeframe: .m1, now: now)
/// builders.evictIdle(now: now)          // from time to time
/// ```
public struct BuilderPool: Sendable {
    /// A stream. Its description is `{symbol}_{timeframe}`.
    public struct Key: Hashable, Sendable, CustomStringConvertible {
        public var symbol: String
        public var timeframe: Timeframe

        public init(symbol: String, timeframe: Timeframe) {
            self.symbol = symbol
            self.timeframe = timeframe
        }

        public var description: String { "\(symbol)_\(timeframe.rawValue)" }
    }

    private struct Entry {
        var builder: OHLCBuilder
        var lastUse: Double
    }

    /// Seconds without a tick after which a builder is idle.
    public let idleTime: Double
    private let lateness: Double
    private var entries: [Key: Entry] = [:]

    /// - Parameters:
    ///   - idleTime: seconds, default 3600.
    ///   - lateness: seconds that a tick may come late; see `OHLCBuilder`.
    public init(idleTime: Double = 3600, lateness: Double = 10) {
        self.idleTime = max(0, idleTime)
        self.lateness = lateness
    }

    public var count: Int { entries.count }

    /// The streams that have a builder.
    public var keys: [Key] { Array(entries.keys) }

    /// Passes a tick to its stream's builder, and creates a missing one.
    /// - Parameter now: seconds since 1970 UTC.
    public mutating func ingest(_ tick: Tick, symbol: String, timeframe: Timeframe, now: Double) -> BuildResult {
        use(Key(symbol: symbol, timeframe: timeframe), now: now) { $0.ingest(tick) }
    }

    /// Lets a stream continue the bar that history ended with.
    /// - Parameter now: seconds since 1970 UTC.
    public mutating func seed(symbol: String, timeframe: Timeframe, with candle: Candle, now: Double) {
        use(Key(symbol: symbol, timeframe: timeframe), now: now) { $0.seed(with: candle) }
    }

    /// Forgets the streams of a symbol, or those of one timeframe: after another one was chosen.
    public mutating func remove(symbol: String, timeframe: Timeframe? = nil) {
        entries = entries.filter { $0.key.symbol != symbol || (timeframe != nil && $0.key.timeframe != timeframe) }
    }

    public mutating func removeAll() { entries.removeAll() }

    /// Lets go of builders that had no tick for `idleTime`. One whose bar has not ended yet stays: a new builder would
    /// begin that bar again without its earlier trades.
    /// - Parameter now: seconds since 1970 UTC.
    /// - Returns: the last bar of each builder that went, which no tick had completed.
    @discardableResult public mutating func evictIdle(now: Double) -> [(key: Key, last: Candle)] {
        var last: [(key: Key, last: Candle)] = []
        for (key, entry) in entries where now - entry.lastUse >= idleTime {
            if let forming = entry.builder.forming {
                guard now >= key.timeframe.bucketEnd(ofBucketAt: forming.timestamp) else { continue }
                last.append((key, forming))
            }
            entries[key] = nil
        }
        return last
    }

    private mutating func use<R>(_ key: Key, now: Double, _ body: (inout OHLCBuilder) -> R) -> R {
        var entry =
            entries.removeValue(forKey: key)
            ?? Entry(builder: OHLCBuilder(timeframe: key.timeframe, lateness: lateness), lastUse: now)
        defer { entries[key] = entry }
        entry.lastUse = max(entry.lastUse, now)
        return body(&entry.builder)
    }
}
