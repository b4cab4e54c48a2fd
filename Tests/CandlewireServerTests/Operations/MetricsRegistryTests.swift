import CoreMetrics
import Testing

@testable import CandlewireServer

@Suite("What libraries count through swift-metrics")
struct MetricsRegistryTests {
    private static func lines(_ registry: MetricsRegistry) -> [String] {
        var text = PrometheusText()
        registry.write(into: &text)
        return String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("A counter, a meter, a recorder and a timer are there under names that Prometheus allows")
    func kinds() {
        let registry = MetricsRegistry()
        Counter(label: "http.requests", dimensions: [("status", "200")], factory: registry).increment(by: 2)
        Counter(label: "http.requests", dimensions: [("status", "200")], factory: registry).increment()
        Meter(label: "pool size", factory: registry).set(7)
        Recorder(label: "batch", factory: registry).record(2)
        Timer(label: "9lives", factory: registry).recordMilliseconds(3)
        let lines = Self.lines(registry)
        for line in [
            "# TYPE http_requests_total counter", "http_requests_total{status=\"200\"} 3", "# TYPE pool_size gauge",
            "pool_size 7", "# TYPE batch histogram", "batch_sum 2", "# TYPE _9lives_seconds histogram",
            "_9lives_seconds_bucket{le=\"0.0025\"} 0", "_9lives_seconds_bucket{le=\"0.005\"} 1",
            "_9lives_seconds_count 1",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test("A counter never falls, and none takes a name of the server's own or a name of another kind")
    func clashes() {
        let registry = MetricsRegistry()
        Counter(label: "candlewire_ticks", factory: registry).increment()
        Counter(label: "a_total", factory: registry).increment()
        Meter(label: "a_total", factory: registry).set(5)
        Timer(label: "t", dimensions: [("le", "x"), ("__name__", "y")], factory: registry).recordSeconds(1)
        let lines = Self.lines(registry)
        #expect(lines.contains("library_candlewire_ticks_total 1"))
        #expect(lines.contains("a_total 1") && !lines.contains("a_total 5"))
        #expect(lines.contains("candlewire_library_series_dropped_total 1"))
        #expect(lines.contains("t_seconds_count{label__name__=\"y\",labelle=\"x\"} 1"))
    }

    @Test("There are never more series than the bound, and what is dropped is counted")
    func bound() {
        let registry = MetricsRegistry()
        for number in 0..<MetricsRegistry.maxSeries + 50 {
            Counter(label: "c", dimensions: [("user", "\(number)")], factory: registry).increment()
        }
        let lines = Self.lines(registry)
        #expect(lines.filter { $0.hasPrefix("c_total{") }.count == MetricsRegistry.maxSeries)
        #expect(lines.contains("candlewire_library_series_dropped_total 50"))
    }

    @Test("What a library destroys makes room")
    func destroying() {
        let registry = MetricsRegistry()
        let counter = Counter(label: "c", factory: registry)
        counter.increment()
        counter.destroy()
        #expect(!Self.lines(registry).contains { $0.hasPrefix("c_total") })
    }
}
