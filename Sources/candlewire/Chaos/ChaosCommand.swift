import ArgumentParser
import Foundation
import TestKit
import UnixSignals
import WebSocketTransport

struct ChaosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chaos",
        abstract: "Run a fault-injection proxy: drops, delays, throttling, corruption and silence.",
        discussion: """
            Point the client at --listen instead of at the server. Works for anything over TCP. Where several faults \
            are given, all of them happen.

            EXAMPLES
              candlewire chaos --listen 9001 --target 127.0.0.1:8080 --drop 0.01
                  one chunk in a hundred ends its connection with a reset
              candlewire chaos --listen 9001 --target 127.0.0.1:8080 --delay 80 \\
                  --jitter 40 --throttle 20000
                  a slow mobile network
              candlewire chaos --listen 9001 --target 127.0.0.1:8080 \\
                  --half-open-after 100000
                  a peer that vanishes: after 100 kB nothing comes, and nothing is closed
              candlewire chaos --listen 9001 --target 127.0.0.1:8080 \\
                  --corrupt 0.0001 --direction down
                  one byte in ten thousand that the server sends becomes another
            """)

    @Option("Where clients connect; port 0 for any free one.", "[host:]port") var listen: String
    @Option("The server.", "host:port") var target: String
    @Option(signed: "Probability of cutting the connection, per chunk.", "0-1") var drop = 0.0
    @Option(signed: "Delay all data by this much.", "ms") var delay = 0.0
    @Option(signed: "Add a random delay of up to this much to each chunk.", "ms") var jitter = 0.0
    @Option(signed: "Cut a connection after this many bytes in one direction.", "bytes") var cutAfter: Int?

    @Option(signed: "Fall silent, without closing, after this many bytes in one direction.", "bytes")
    var halfOpenAfter: Int?

    @Option(signed: "Maximum throughput per direction.", "bytes/s") var throttle: Int?
    @Option(signed: "Probability of corrupting a byte.", "0-1") var corrupt = 0.0
    @Option(signed: "Probability of resetting a new connection.", "0-1") var refuse = 0.0
    @Option("Direction of the faults: both, up (to the target) or down.", "way") var direction = "both"
    @Option(help: "Random seed.") var seed: UInt64 = 1

    func run() async throws {
        try await Failure.exitCleanly {
            let settings = try makeSettings()
            let listen = try NetworkAddress(listen, flag: "--listen", defaultHost: "127.0.0.1")
            let target = try NetworkAddress(target, flag: "--target")
            let console = ChaosConsole()
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            let proxy: ChaosProxy
            do {
                proxy = try await ChaosProxy.start(
                    host: listen.host, port: listen.port, target: .init(host: target.host, port: target.port),
                    settings: settings, seed: seed, onEvent: { console.show($0) })
            } catch { throw CommandFailure(69, "\(listen) cannot be listened on: \(NetworkFailure(error).words).") }
            console.begin(
                listen: NetworkAddress(host: listen.host, port: proxy.port), target: target, settings: settings,
                seed: seed)
            await console.lines.run(until: signals)
            let counts = proxy.counts
            await proxy.stop()
            console.end(counts)
        }
    }

    private func makeSettings() throws -> ChaosSettings {
        for (flag, chance) in [("--drop", drop), ("--corrupt", corrupt), ("--refuse", refuse)] {
            try require((0...1).contains(chance), "\(flag) must be a probability from 0 to 1; it is \(chance).")
        }
        for (flag, delay) in [("--delay", delay), ("--jitter", jitter)] {
            try require(
                (0...3_600_000).contains(delay), "\(flag) must be from 0 to 3600000 milliseconds; it is \(delay).")
        }
        for (flag, bytes) in [("--cut-after", cutAfter ?? 0), ("--half-open-after", halfOpenAfter ?? 0)] {
            try require(bytes >= 0, "\(flag) must not be negative; it is \(bytes).")
        }
        if let throttle { try require(throttle > 0, "--throttle must be at least 1 byte a second; it is \(throttle).") }
        let direction = try require(
            ChaosSettings.Direction(rawValue: direction),
            "--direction must be both, up or down; it is \"\(direction)\".")
        return ChaosSettings(
            drop: drop, delay: delay / 1000, jitter: jitter / 1000, cutAfter: cutAfter, halfOpenAfter: halfOpenAfter,
            throttle: throttle, corrupt: corrupt, refuse: refuse, direction: direction)
    }
}

/// Writes what the proxy does, a line an event, but no more than a person can read.
final class ChaosConsole: Sendable {
    let lines = EventLines(linesPerSecond: 10)

    func begin(listen: NetworkAddress, target: NetworkAddress, settings: ChaosSettings, seed: UInt64) {
        Console.write(
            """
            Chaos proxy is running.

              Connect to  \(listen)
              Target      \(target)
              Faults      \(Self.sentence(settings)), seed \(seed)
              Stop        Ctrl-C


            """)
    }

    func show(_ event: ChaosEvent) { lines.show(Self.line(event)) }

    func end(_ counts: ChaosCounts) {
        Console.write(
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

    private static func line(_ event: ChaosEvent) -> String {
        switch event {
        case .opened(let number): "#\(number) opened"
        case .refused(let number): "#\(number) refused"
        case .unreachable(let number, let reason): "#\(number) the target does not answer: \(reason)"
        case .cut(let number, .drop, let bytes): "#\(number) cut at random after \(bytes) bytes"
        case .cut(let number, .cutAfter, let bytes): "#\(number) cut after \(bytes) bytes, as configured"
        case .cut(let number, .request, let bytes): "#\(number) cut after \(bytes) bytes"
        case .halfOpened(let number, let bytes): "#\(number) silent after \(bytes) bytes"
        case .corrupted(let number, let bytes): "#\(number) \(bytes) \(bytes == 1 ? "byte" : "bytes") corrupted"
        case .closed(let number, let bytes): "#\(number) closed after \(bytes) bytes"
        }
    }

    private static func sentence(_ settings: ChaosSettings) -> String {
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
