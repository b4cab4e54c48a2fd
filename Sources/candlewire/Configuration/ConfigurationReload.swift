import CandlewireServer
import Foundation
import Logging
import UnixSignals

/// Reads the configuration file again at SIGHUP, and applies what can change while the server runs.
struct ConfigurationReload: Sendable {
    let levels: LogLevels
    let origins: AllowedOrigins
    /// Where the server's audit log is.
    let directory: String
    let logger: Logger

    /// Until the task is cancelled. Without a file there is nothing to read again: then the signal ends the program, as when
    /// a terminal is closed.
    func run(_ began: ServeSettings) async {
        guard began.path != nil else { return }
        var settings = began
        for await _ in await UnixSignalsSequence(trapping: .sighup) {
            do {
                let next = try ServeSettings(flags: began.flags, environment: ProcessInfo.processInfo.environment)
                if let problem = await next.problems().first { throw CommandFailure.usage(problem.description) }
                try apply(try next.command(), settings.changes(to: next), sinceStart: began.changes(to: next))
                settings = next
            } catch {
                record("", status: 400, code: "configuration")
                logger.error(
                    "the configuration was not reloaded; everything is as before",
                    metadata: ["error": "\(Failure.sentence(of: error)?.sentence ?? "\(error)")"])
            }
        }
    }

    private func apply(
        _ command: ServeCommand, _ changes: [ServeSettings.Setting], sinceStart: [ServeSettings.Setting]
    ) throws {
        let next = try command.operation.levels()
        levels.set(Dictionary(uniqueKeysWithValues: LogLevels.Subsystem.allCases.map { ($0, next[$0]) }))
        origins.replace(with: command.allowOrigin)
        let names = changes.map(\.option.name)
        let changed = names.filter(ServeOption.reloadable.contains).joined(separator: ",")
        record(" \(changed)", status: 200)
        let waiting = sinceStart.map(\.option.name).filter { !ServeOption.reloadable.contains($0) }
        logger.notice(
            "the configuration was reloaded",
            metadata: [
                "changed": "\(changed)",
                "needs_restart": "\(waiting.joined(separator: ","))",
            ])
    }

    private func record(_ changed: String, status: Int, code: String? = nil) {
        for folder in CommandAudit.record(
            "reload\(changed)", status: status, code: code, in: directory, hasLive: false)
        {
            logger.error("the audit log cannot be written", metadata: ["folder": "\(folder)"])
        }
    }
}
