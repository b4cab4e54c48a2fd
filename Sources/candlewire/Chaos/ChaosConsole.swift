import Foundation
import TestKit

/// Tells what the proxy does, a line an event, but no more than a person can follow.
final class ChaosConsole: Sendable {
    private let lines = EventLines(linesPerSecond: 10)

    func begin(listen: NetworkAddress, target: NetworkAddress, settings: ChaosSettings, seed: UInt64) {
        lines.write(
            """
            Chaos proxy is running.

              Connect to  \(listen.description)
              Target      \(target.description)
              Faults      \(Self.sentence(settings)), seed \(seed)
              Stop        Ctrl-C


            """)
    }

    func show(_ event: ChaosEvent) {
        guard let line = Self.line(event) else { return }
        lines.show(line)
    }

    /// To be run beside: see `EventLines`.
    func tick() async { await lines.tick() }

    func end(_ counts: ChaosCounts) {
        lines.write(
            """

            Chaos proxy ends after \(String(format: "%.1f", lines.age)) s.
              connections  \(counts.accepted) (\(counts.open) still open, \(counts.refused) refused, \
            \(counts.unreachable) without a target)
              cut          \(counts.cut)
              half-open    \(counts.halfOpened)
              bytes        \(counts.bytesUp) up, \(counts.bytesDown) down, \(counts.bytesLost) lost, \
            \(counts.bytesCorrupted) corrupted

            """)
    }

    private static func line(_ event: ChaosEvent) -> String? {
        switch event {
        case .opened(let number): "#\(number) opened"
        case .refused(let number): "#\(number) refused"
        case .unreachable(let number, let reason): "#\(number) the target does not answer: \(reason)"
        case .cut(let number, let reason, let bytes):
            switch reason {
            case .drop: "#\(number) cut at random after \(bytes) bytes"
            case .cutAfter: "#\(number) cut after \(bytes) bytes, as told"
            case .request: "#\(number) cut after \(bytes) bytes"
            }
        case .halfOpened(let number, let bytes): "#\(number) silent after \(bytes) bytes"
        case .corrupted(let number, let bytes): "#\(number) \(bytes) \(bytes == 1 ? "byte" : "bytes") corrupted"
        case .closed(let number, let bytes): "#\(number) closed after \(bytes) bytes"
        }
    }

    static func sentence(_ settings: ChaosSettings) -> String {
        var parts: [String] = []
        if settings.drop > 0 { parts.append("drop \(settings.drop)") }
        if settings.delay > 0 { parts.append("delay \(Int(settings.delay * 1000)) ms") }
        if settings.jitter > 0 { parts.append("jitter \(Int(settings.jitter * 1000)) ms") }
        if let bytes = settings.cutAfter { parts.append("cut after \(bytes) bytes") }
        if let bytes = settings.halfOpenAfter { parts.append("half-open after \(bytes) bytes") }
        if let rate = settings.throttle { parts.append("throttle \(rate) bytes/s") }
        if settings.corrupt > 0 { parts.append("corrupt \(settings.corrupt)") }
        if settings.refuse > 0 { parts.append("refuse \(settings.refuse)") }
        guard !parts.isEmpty else { return "none" }
        let way =
            switch settings.direction {
            case .both: ""
            case .up: " (to the target only)"
            case .down: " (from the target only)"
            }
        return parts.joined(separator: ", ") + way
    }
}
