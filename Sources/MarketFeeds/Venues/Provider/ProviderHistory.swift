import MarketModel
import StreamCore

/// A configured provider's candles over REST: by default `GET {rest}/v1/candles?symbol=&timeframe=&limit=`, an array of
/// `{timestamp, open, high, low, close, volume}`, oldest or newest first.
struct ProviderHistory: HistoryAdapter {
    private let shape: ProviderHistoryShape
    private let adapter: ProviderAdapter
    private let rows: PathTree
    private let rowsNode: Int
    private let row: PathTree
    /// By the field's raw value; -1: there is none.
    private let nodes: [Int]

    init(_ shape: ProviderHistoryShape, _ adapter: ProviderAdapter) {
        self.shape = shape
        self.adapter = adapter
        var rows = PathTree()
        rowsNode = shape.rule.rows.map { rows.insert($0) } ?? 0
        self.rows = rows
        var row = PathTree()
        nodes = ProviderField.allCases.map { field in shape.rule.fields[field].map { row.insert($0) } ?? -1 }
        self.row = row
    }

    var venue: Venue { .provider }
    var name: String { adapter.name }
    var endpoint: String { adapter.historyEndpoint }
    var timeframes: [Timeframe] { Timeframe.allCases.filter { adapter.configuration.shape.timeframeNames[$0] != nil } }
    var rowsPerPage: Int { shape.limit }

    /// Where no stretch of time can be requested, only the newest page can be had.
    var newestOnly: Int? { shape.path.has(.from) ? nil : shape.limit }

    /// Its answer does not say why a candle is missing.
    var omitsEmptyIntervals: Bool { false }

    var pace: RequestPacer.Configuration {
        let rate = shape.requestsPerSecond
        return .init(rate: rate, burst: 1, minimumInterval: 1 / rate)
    }

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        adapter.historyRequest(shape) { place in
            switch place {
            case .symbol: symbol
            case .timeframe: adapter.configuration.shape.timeframeNames[timeframe] ?? timeframe.rawValue
            case .limit: "\(shape.limit)"
            case .from: written(from)
            // The last second of what is wanted: providers differ in whether the end belongs to it.
            case .to: written(to - 1)
            case .symbols, .token, .id: ""
            }
        }
    }

    private func written(_ seconds: Double) -> String {
        shape.unit == .iso8601 ? RFC3339.text(seconds) : queryNumber(seconds * Double(shape.unit.perSecond))
    }

    func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try RESTBody.read(body, of: place, as: "list of candles") { scanner in
            var around = Array(repeating: -1, count: rows.count)
            around[0] = 0
            try rows.read(&scanner, base: 0, into: &around)
            guard around[rowsNode] >= 0 else { throw missing(.rows) }
            let start = around[rowsNode]
            return try body.withUnsafeBytes { bytes in
                var list = bytes.scanner(from: start)
                var candles: [HistoryCandle] = []
                var found = Array(repeating: -1, count: row.count)
                try list.eachElement { list in
                    for index in found.indices { found[index] = -1 }
                    try row.read(&list, base: start, into: &found)
                    candles.append(HistoryCandle(candle: try candle(bytes, found)))
                }
                return candles
            }
        }
    }

    private var place: String { "\(venue.rawValue) \(adapter.name)" }

    private func missing(_ field: ProviderField) -> HistoryError {
        HistoryError(.invalidResponse, "The answer of \(place) is not a list of candles: \"\(field.word)\" is missing.")
    }

    private func candle(_ bytes: Bytes, _ found: [Int]) throws -> Candle {
        let text = try value(.timestamp, bytes, found)
        return Candle(
            timestamp: try time(text), open: try number(.open, bytes, found), high: try number(.high, bytes, found),
            low: try number(.low, bytes, found), close: try number(.close, bytes, found),
            volume: nodes[ProviderField.volume.rawValue] < 0 ? 0 : try number(.volume, bytes, found))
    }

    /// A time in another unit than is said would lie outside of what was requested, and the row be left out as any other.
    private func time(_ text: JSONText) throws(HistoryError) -> Double {
        let time = shape.unit.seconds(text.raw)
        if let time, time > Self.earlyTimes, time <= Tick.latestTimestamp { return time }
        let fitting = ProviderTimeUnit.allCases.first {
            $0 != shape.unit && ($0.seconds(text.raw).map(Self.presentTimes.contains) ?? false)
        }
        if let time, time <= Tick.latestTimestamp, fitting == nil { return time }
        let units = ProviderTimeUnit.allCases.map(\.rawValue).joined(separator: ", ")
        throw HistoryError(
            .invalidResponse,
            "The answer of \(venue.rawValue) \(name) has the \"timestamp\" \(RESTBody.quoted(text.string).prefix(40)), which is "
                + "no time in \"\(shape.unit.rawValue)\"; \"history.time\" of its configuration, or else \"time\", must be "
                + "how it writes times: one of \(units)\(fitting.map { "; \"\($0.rawValue)\" fits" } ?? "").")
    }

    /// 2000 to 2100.
    private static let presentTimes = 946_684_800.0...4_102_444_800
    /// Until 1973: milliseconds of today, read as microseconds, are among them.
    private static let earlyTimes = 1e8

    private func number(_ field: ProviderField, _ bytes: Bytes, _ found: [Int]) throws -> Double {
        guard let number = DecimalParser.parseWhole(try value(field, bytes, found).raw) else {
            throw JSONError(.invalidNumber, at: found[nodes[field.rawValue]])
        }
        return number
    }

    private func value(_ field: ProviderField, _ bytes: Bytes, _ found: [Int]) throws -> JSONText {
        let node = nodes[field.rawValue]
        guard node >= 0, found[node] >= 0, let text = bytes.scalar(at: found[node]) else { throw missing(field) }
        return text
    }

    /// An error in any of the usual forms.
    func errorMessage(in body: [UInt8]) -> String? {
        RESTBody.text(of: ["message", "msg", "reason", "error"], in: body) ?? CandlewireHistory().errorMessage(in: body)
    }
}
