import MarketModel
import Testing

@testable import CandlewireServer

@Suite("The text format of Prometheus")
struct PrometheusTextTests {
    private static func text(_ write: (inout PrometheusText) -> Void) -> String {
        var text = PrometheusText()
        write(&text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test("A counter has its help and its type before its only series")
    func counter() {
        let written = Self.text { $0.counter("ticks_total", "Ticks.", 12) }
        #expect(written == "# HELP ticks_total Ticks.\n# TYPE ticks_total counter\nticks_total 12\n")
    }

    @Test(
        "Values of labels are escaped and have a bound",
        arguments: [
            ("plain", "plain"), ("a\"b", "a\\\"b"), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"), ("é", "é"),
            (String(repeating: "x", count: 500), String(repeating: "x", count: 128)),
        ])
    func labels(value: String, written: String) {
        let text = Self.text {
            $0.metric("m", .gauge, "Help\\with\nbreaks and \"quotes\".") { $0.add(1, [("l", value)]) }
        }
        #expect(text == "# HELP m Help\\\\with\\nbreaks and \"quotes\".\n# TYPE m gauge\nm{l=\"\(written)\"} 1\n")
    }

    @Test(
        "Numbers are as Prometheus reads them",
        arguments: [
            (0.0, "0"), (-1, "-1"), (0.5, "0.5"), (1e-5, "1e-05"), (123_456_789, "123456789"), (1e300, "1e+300"),
            (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        ] as [(Double, String)])
    func numbers(value: Double, written: String) {
        #expect(Self.text { $0.gauge("m", "h", value) }.hasSuffix("\nm \(written)\n"))
    }

    @Test("The classes of a histogram count what is in the classes below, too")
    func histogram() {
        var histogram = DurationHistogram([0.1, 1])
        for seconds in [0.05, 0.1, 0.5, 3, -2] { histogram.add(seconds) }
        let text = Self.text { $0.metric("t", .histogram, "h") { $0.add(histogram, [("a", "b")]) } }
        #expect(
            text == """
                # HELP t h
                # TYPE t histogram
                t_bucket{a="b",le="0.1"} 3
                t_bucket{a="b",le="1"} 4
                t_bucket{a="b",le="+Inf"} 5
                t_sum{a="b"} 3.65
                t_count{a="b"} 5

                """)
    }

    @Test("Histograms of several loops add up to the histogram of all")
    func adding() {
        var (one, two, all) = (DurationHistogram([1]), DurationHistogram([1]), DurationHistogram([1]))
        for seconds in [0.5, 2] { one.add(seconds) }
        two.add(0.25)
        for seconds in [0.5, 2, 0.25] { all.add(seconds) }
        one.add(two)
        #expect(one == all && one.total == 3)
    }
}
