import MarketModel

/// Writes metrics in Prometheus' text format, version 0.0.4: prometheus.io/docs/instrumenting/exposition_formats.
struct PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    /// Characters of a label's value; more are cut off.
    static let maxLabelLength = 128

    enum Kind: String {
        case counter, gauge, histogram
    }

    typealias Labels = [(name: String, value: String)]

    private(set) var bytes: [UInt8] = []

    /// A metric with all its series.
    /// - Parameters:
    ///   - name: letters, digits and `_`, a counter's with `_total` at its end.
    ///   - series: adds them; none are allowed.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ series: (inout Series) -> Void) {
        put("# HELP \(name) ")
        put(escaped: help, quotes: false)
        put("\n# TYPE \(name) \(kind.rawValue)\n")
        var added = Series(name: name, text: self)
        // One owner, so that nothing is copied.
        bytes = []
        series(&added)
        self = added.text
    }

    mutating func counter(_ name: String, _ help: String, _ value: Int) {
        metric(name, .counter, help) { $0.add(value) }
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Double) {
        metric(name, .gauge, help) { $0.add(value) }
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Int) { gauge(name, help, Double(value)) }

    /// The series of one metric.
    struct Series {
        fileprivate let name: String
        fileprivate var text: PrometheusText

        mutating func add(_ value: Double, _ labels: Labels = []) { text.put(sample: name, labels, Self.text(value)) }

        mutating func add(_ value: Int, _ labels: Labels = []) { text.put(sample: name, labels, "\(value)") }

        mutating func add(_ histogram: DurationHistogram, _ labels: Labels = []) {
            var below = 0
            for (bound, count) in zip(histogram.bounds, histogram.counts) {
                below += count
                text.put(sample: name + "_bucket", labels + [("le", Self.text(bound))], "\(below)")
            }
            text.put(sample: name + "_bucket", labels + [("le", "+Inf")], "\(histogram.total)")
            text.put(sample: name + "_sum", labels, Self.text(histogram.sum))
            text.put(sample: name + "_count", labels, "\(histogram.total)")
        }

        private static func text(_ value: Double) -> String {
            if value.isNaN { return "NaN" }
            guard value.isFinite else { return value < 0 ? "-Inf" : "+Inf" }
            return value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
        }
    }

    private mutating func put(sample name: String, _ labels: Labels, _ value: String) {
        put(name)
        for (index, label) in labels.enumerated() {
            put(index == 0 ? "{" : ",")
            put(label.name)
            put("=\"")
            put(escaped: String(label.value.prefix(Self.maxLabelLength)), quotes: true)
            put("\"")
        }
        if !labels.isEmpty { put("}") }
        put(" ")
        put(value)
        put("\n")
    }

    private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func put(escaped text: String, quotes: Bool) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): put("\\\\")
            case UInt8(ascii: "\n"): put("\\n")
            case UInt8(ascii: "\"") where quotes: put("\\\"")
            default: bytes.append(byte)
            }
        }
    }
}
