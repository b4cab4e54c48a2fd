/// Times a piece of work several times over.
enum Stopwatch {
    struct Times {
        var best: Double
        var median: Double
    }

    /// Seconds per run, after one run that is not counted.
    static func time(runs: Int = 15, _ body: () -> Void) -> Times {
        let clock = ContinuousClock()
        body()
        let times = (0..<runs).map { _ in clock.measure(body) / .seconds(1) }.sorted()
        return Times(best: times[0], median: times[times.count / 2])
    }
}

/// Keeps a result alive, so that the work for it is not optimised away.
@inline(never)
func keep<T>(_ value: T) { withExtendedLifetime(value) {} }
