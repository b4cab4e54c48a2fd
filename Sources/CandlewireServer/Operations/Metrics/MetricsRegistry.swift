public import CoreMetrics
import MarketModel
import Synchronization

/// Keeps what libraries count through swift-metrics, so that `/metrics` has it beside the server's own.
///
/// ```swift
/// let registry = MetricsRegistry()
/// MetricsSystem.bootstrap(registry)
/// configuration.libraryMetrics = registry
/// ```
/// Names become those of Prometheus: other characters than letters and digits are `_`, a counter ends with `_total`, a
/// timer with `_seconds`. Names of the server itself (`candlewire_`, `process_`) get `library_` in front. There are at most
/// `maxSeries` series; what comes later counts nothing, and `candlewire_library_series_dropped_total` counts it.
public final class MetricsRegistry: MetricsFactory, Sendable {
    /// Combinations of a name and the values of its dimensions.
    public static let maxSeries = 1000

    private struct Key: Hashable, Comparable {
        var name: String
        var labels: [[String]]

        static func < (a: Self, b: Self) -> Bool {
            if a.name != b.name { return a.name < b.name }
            return a.labels.joined().lexicographicallyPrecedes(b.labels.joined())
        }
    }

    private enum Stored {
        case counter(LibraryCounter)
        case gauge(LibraryGauge)
        case histogram(LibraryHistogram)

        var kind: PrometheusText.Kind {
            switch self {
            case .counter: .counter
            case .gauge: .gauge
            case .histogram: .histogram
            }
        }
    }

    private struct State {
        var series: [Key: Stored] = [:]
        /// Of each name: all its series are of one kind.
        var kinds: [String: PrometheusText.Kind] = [:]
        var dropped = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// The registry of this process, to which swift-metrics gives everything from now on. To be called once, before anything
    /// is counted.
    public static func bootstrapped() -> MetricsRegistry {
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }

    // MARK: MetricsFactory

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let made = series(Self.name(label, ending: "_total"), dimensions, .counter(LibraryCounter()))
        if case .counter(let counter) = made { return counter }
        return LibraryCounter()
    }

    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return gauge(label, dimensions) }
        let made = series(Self.name(label), dimensions, .histogram(LibraryHistogram(unit: 1)))
        if case .histogram(let histogram) = made { return histogram }
        return LibraryHistogram(unit: 1)
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions)
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> LibraryGauge {
        if case .gauge(let gauge) = series(Self.name(label), dimensions, .gauge(LibraryGauge())) { return gauge }
        return LibraryGauge()
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let made = series(Self.name(label, ending: "_seconds"), dimensions, .histogram(LibraryHistogram(unit: 1e-9)))
        if case .histogram(let histogram) = made { return histogram }
        return LibraryHistogram(unit: 1e-9)
    }

    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    /// - Returns: the series of this name and these dimensions; `nil` where there is no room, or the name has another kind.
    private func series(_ name: String, _ dimensions: [(String, String)], _ new: @autoclosure () -> Stored) -> Stored? {
        let key = Key(name: name, labels: Self.labels(dimensions))
        return state.withLock { state in
            let new = new()
            if let known = state.series[key], known.kind == new.kind { return known }
            guard state.series.count < Self.maxSeries, state.kinds[name, default: new.kind] == new.kind else {
                state.dropped += 1
                return nil
            }
            state.kinds[name] = new.kind
            state.series[key] = new
            return new
        }
    }

    private func remove(_ handler: AnyObject) {
        state.withLock { state in
            let gone = state.series.filter { entry in
                switch entry.value {
                case .counter(let counter): counter === handler
                case .gauge(let gauge): gauge === handler
                case .histogram(let histogram): histogram === handler
                }
            }
            for key in gone.keys { state.series[key] = nil }
        }
    }

    // MARK: Names

    private static func name(_ label: String, ending: String = "") -> String {
        var name = word(label)
        if !name.hasSuffix(ending) { name += ending }
        return name.hasPrefix("candlewire_") || name.hasPrefix("process_") ? "library_" + name : name
    }

    /// Letters, digits and `_`, and no digit at its begin.
    private static func word(_ text: String) -> String {
        let word = String(
            text.prefix(PrometheusText.maxLabelLength).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return word.first.map { $0.isNumber } == false ? word : "_" + word
    }

    /// Sorted by name, each name once, and none that Prometheus has for itself.
    private static func labels(_ dimensions: [(String, String)]) -> [[String]] {
        var labels: [String: String] = [:]
        for (name, value) in dimensions {
            let name = word(name)
            labels[name == "le" || name.hasPrefix("__") ? "label" + name : name] = value
        }
        return labels.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
    }

    // MARK: Writing

    func write(into text: inout PrometheusText) {
        let (series, kinds, dropped) = state.withLock { ($0.series, $0.kinds, $0.dropped) }
        text.counter(
            "candlewire_library_series_dropped_total",
            "Series of libraries that are not kept, because there are \(Self.maxSeries) already or the name has another kind.",
            dropped)
        let byName = Dictionary(grouping: series) { $0.key.name }
        for (name, group) in byName.sorted(by: { $0.key < $1.key }) {
            guard let kind = kinds[name] else { continue }
            text.metric(name, kind, "Counted by a library.") { sink in
                for (key, stored) in group.sorted(by: { $0.key < $1.key }) {
                    let labels = key.labels.map { (name: $0[0], value: $0[1]) }
                    switch stored {
                    case .counter(let counter): sink.add(counter.count, labels)
                    case .gauge(let gauge): sink.add(gauge.current, labels)
                    case .histogram(let histogram): sink.add(histogram.current, labels)
                    }
                }
            }
        }
    }
}

private final class LibraryCounter: CounterHandler, Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    /// A counter does not fall.
    func increment(by amount: Int64) { if amount > 0 { value.wrappingAdd(Int(amount), ordering: .relaxed) } }
    func reset() { value.store(0, ordering: .relaxed) }
}

private final class LibraryGauge: RecorderHandler, MeterHandler, Sendable {
    private let value = Mutex(0.0)

    var current: Double { value.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { self.value.withLock { $0 = value } }
    func set(_ value: Int64) { record(Double(value)) }
    func set(_ value: Double) { record(value) }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { increment(by: -amount) }
}

private final class LibraryHistogram: RecorderHandler, TimerHandler, Sendable {
    private let histogram = Mutex(DurationHistogram(DurationHistogram.requestBounds))
    /// Seconds of what is recorded.
    private let unit: Double

    init(unit: Double) { self.unit = unit }

    var current: DurationHistogram { histogram.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { histogram.withLock { $0.add(value * unit) } }
    func recordNanoseconds(_ duration: Int64) { record(duration) }
}
