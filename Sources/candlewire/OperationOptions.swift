import ArgumentParser
import CandlewireServer
import Logging

/// What people who look after a server choose: its log, its figures and its traces.
struct OperationOptions: ParsableArguments {
    @Option("How much to log: trace, debug, info, notice, warning, error, critical.", "level") var logLevel = "notice"

    @Option(
        """
        How much a subsystem logs, NAME=LEVEL: server, http, feeds, store, trading, consultations. Repeatable. \
        PATCH /v1/log-levels changes it while the server runs.
        """, "name=level", parsing: .unconditionalSingleValue)
    var logLevelOf: [String] = []

    @Option("How lines of the log look: text, or json for one JSON object a line.", "format")
    var logFormat = LogFormat.text

    @Option(
        signed: """
            A second port, on 127.0.0.1 alone, with /metrics, /health, /livez and /readyz without a login. Without it \
            /metrics is at --port, where it needs a token if the server has some.
            """, "port")
    var metricsPort: Int?

    @Option(
        "Write spans of requests, orders, ticks and answers to this file, one JSON object a line.", "file")
    var traceFile: String?

    @Option(signed: "The share of requests, answers and batches of ticks that is traced: 0 to 1.", "share")
    var traceSample = 0.01

    func levels() throws -> LogLevels {
        let levels = LogLevels(try level(logLevel))
        var changes: [LogLevels.Subsystem: Logger.Level] = [:]
        for text in logLevelOf {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let subsystem = try valid(
                parts.count == 2 ? LogLevels.Subsystem(rawValue: parts[0]) : nil,
                "--log-level-of must be NAME=LEVEL with one of "
                    + LogLevels.Subsystem.allCases.map(\.rawValue).joined(separator: ", ") + "; it is \"\(text)\".")
            changes[subsystem] = try level(parts[1])
        }
        levels.set(changes)
        return levels
    }

    private func level(_ text: String) throws -> Logger.Level {
        try valid(
            Logger.Level(rawValue: text),
            "Unknown log level \"\(text)\"; allowed are "
                + Logger.Level.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }

    /// - Parameter port: the server's.
    func check(port: Int) throws {
        _ = try levels()
        if let metricsPort {
            try require(
                (1...65_535).contains(metricsPort), "--metrics-port must be from 1 to 65535; it is \(metricsPort).")
            try require(
                metricsPort != port, "--metrics-port and --port must not be the same; both are \(metricsPort).")
        }
        try require((0...1).contains(traceSample), "--trace-sample must be from 0 to 1; it is \(traceSample).")
    }

    /// Applies options that were checked.
    /// - Returns: the server's logger.
    func apply(to configuration: inout ServerConfiguration, _ levels: LogLevels) throws -> Logger {
        configuration.metricsPort = metricsPort
        configuration.logLevels = levels
        configuration.libraryMetrics = MetricsRegistry.bootstrapped()
        if let traceFile {
            configuration.tracing = ServerTracing(try SpanFile(traceFile, sample: traceSample), sample: traceSample)
        }
        let format = logFormat
        return Logger(label: "candlewire") { ServerLogHandler(label: $0, levels: levels, format: format) }
    }
}

extension LogFormat: WordArgument {}
