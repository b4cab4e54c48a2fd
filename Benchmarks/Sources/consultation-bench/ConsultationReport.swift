import Foundation

/// What was measured, for people.
struct ConsultationReport {
    /// The 99th percentile of a word's age that is aimed at, in milliseconds.
    static let aim = 20.0

    var conversations: Int
    /// Of each answer.
    var words: Int
    var seconds: Double
    /// Ascending, in microseconds.
    var latencies: [UInt32]
    var errors: Int
    /// Of the server in bytes: with all clients connected, and at most.
    var memory: Int
    var peakMemory: Int
    /// The server's share of one processor.
    var processors: Double

    var isMet: Bool {
        errors == 0 && latencies.count == conversations * words && percentile(0.99) < Self.aim
    }

    /// In milliseconds.
    func percentile(_ share: Double) -> Double {
        guard !latencies.isEmpty else { return .infinity }
        return Double(latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))]) / 1_000
    }

    var text: String {
        """
        conversations            \(conversations), 50 words/s each, \(Int(seconds)) s, on \
        \(ProcessInfo.processInfo.activeProcessorCount) processors with the clients
        words received           \(latencies.count) of \(conversations * words), \(errors) errors
        a word's age             p50 \(shown(percentile(0.5))) ms, p99 \(shown(percentile(0.99))) ms, \
        p99.9 \(shown(percentile(0.999))) ms, most \(shown(percentile(1))) ms
        server's memory          \(memory >> 20) MiB with all connected, \(peakMemory >> 20) MiB at most
        server's processor time  \(shown(processors)) of one processor
        aim                      p99 under \(Int(Self.aim)) ms and every word received: \(isMet ? "met" : "MISSED")
        """
    }

    private func shown(_ value: Double) -> String { String(format: "%.2f", value) }
}
