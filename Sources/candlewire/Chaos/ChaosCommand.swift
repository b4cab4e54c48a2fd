import ArgumentParser
import Foundation
import MarketFeeds
import TestKit
import UnixSignals

struct ChaosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chaos",
        abstract: "A proxy that drops, delays, throttles, corrupts and falls silent, to test a client with.",
        discussion: """
            Point the client at --listen instead of at the server. Works for anything over TCP. Where several faults are
            given, all of them happen.

            EXAMPLES
              candlewire chaos --listen 9001 --target 127.0.0.1:8080 --drop 0.01
                  one chunk in a hundred ends its connection with a reset
              candlewire chaos --listen 9001 --target 127.0.0.1:8080 --delay 80 --jitter 40 --throttle 20000
                  a slow mobile network
              candlewire chaos --listen 9001 --target 127.0.0.1:8080 --half-open-after 100000
                  a peer that vanishes: after 100 kB nothing comes, and nothing is closed
              candlewire chaos --listen 9001 --target 127.0.0.1:8080 --corrupt 0.0001 --direction down
                  one byte in ten thousand that the server sends becomes another
            """)

    @Option(help: ArgumentHelp("Where clients connect; port 0 for any free one.", valueName: "[host:]port"))
    var listen: String

    @Option(help: ArgumentHelp("The server.", valueName: "host:port"))
    var target: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Chance, for each chunk read, that the connection is cut inside it.", valueName: "0-1"))
    var drop = 0.0

    @Option(parsing: .unconditional, help: ArgumentHelp("Everything is so late.", valueName: "ms"))
    var delay = 0.0

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Up to so much later, drawn for each chunk.", valueName: "ms"))
    var jitter = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Cut a connection after so many bytes in one direction.", valueName: "bytes"))
    var cutAfter: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Fall silent, without closing, after so many bytes in one direction.", valueName: "bytes"))
    var halfOpenAfter: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most that goes through, each way.", valueName: "bytes/s"))
    var throttle: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Chance, for each byte, that it becomes another one.", valueName: "0-1"))
    var corrupt = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Chance, for each connection, that it is reset at once.", valueName: "0-1"))
    var refuse = 0.0

    @Option(help: ArgumentHelp("Which bytes the faults are about: both, up (to the target), down.", valueName: "way"))
    var direction = "both"

    @Option(help: "What the chances are drawn from.")
    var seed: UInt64 = 1

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
            } catch {
                throw Failure.report("\(listen.description) cannot be listened on: \(error).", code: 69)
            }
            console.begin(
                listen: NetworkAddress(host: listen.host, port: proxy.port), target: target, settings: settings,
                seed: seed)
            await console.lines.run(until: signals)
            let counts = proxy.counts
            await proxy.stop()
            console.end(counts)
        }
    }

    private func makeSettings() throws(FeedError) -> ChaosSettings {
        for (flag, chance) in [("--drop", drop), ("--corrupt", corrupt), ("--refuse", refuse)]
        where !(0...1).contains(chance) {
            throw FeedError(.usage, "\(flag) is a chance, a number from 0 to 1; it is \(chance).")
        }
        for (flag, milliseconds) in [("--delay", delay), ("--jitter", jitter)]
        where !(0...3_600_000).contains(milliseconds) {
            throw FeedError(.usage, "\(flag) must be from 0 to 3600000 milliseconds; it is \(milliseconds).")
        }
        for (flag, bytes) in [("--cut-after", cutAfter), ("--half-open-after", halfOpenAfter)] {
            if let bytes, bytes < 0 { throw FeedError(.usage, "\(flag) must not be negative; it is \(bytes).") }
        }
        if let throttle, throttle < 1 {
            throw FeedError(.usage, "--throttle must be at least 1 byte a second; it is \(throttle).")
        }
        guard let direction = ChaosSettings.Direction(rawValue: direction) else {
            throw FeedError(.usage, "--direction must be both, up or down; it is \"\(direction)\".")
        }
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

    private static func line(_ event: ChaosEvent) -> String? {
        switch event {
        case .opened(let number): "#\(number) opened"
        case .refused(let number): "#\(number) refused"
        case .unreachable(let number, let reason): "#\(number) the target does not answer: \(reason)"
        case .cut(let number, let reason, let bytes):
            switch reason {
            case .drop: "#\(number) cut at random after \(bytes) bytes"
            case .cutAfter: "#\(number) cut after \(bytes) bytes, as configured"
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
