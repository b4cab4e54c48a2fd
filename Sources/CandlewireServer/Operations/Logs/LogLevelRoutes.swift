import HTTPTypes
import Hummingbird
import Logging
import StreamCore

/// `/v1/log-levels`: how much each part of the server logs, seen and changed while it runs. For administrators.
extension Routes {
    func addLogLevels(to routes: inout RouteTable) {
        routes.on(.get, "v1/log-levels", .server) { [levels = operations.levels] _ in
            try Self.document(levels)
        }
        routes.on(.patch, "v1/log-levels", .server) { [levels = operations.levels, logger] request in
            guard let levels else { throw APIError.noLogLevels }
            let names = LogLevels.Subsystem.allCases.map(\.rawValue)
            let body = try await request.body(allowed: ["all"] + names)
            var changes: [LogLevels.Subsystem: Logger.Level] = [:]
            if let level = try Self.level("all", body) {
                for subsystem in LogLevels.Subsystem.allCases { changes[subsystem] = level }
            }
            for subsystem in LogLevels.Subsystem.allCases {
                if let level = try Self.level(subsystem.rawValue, body) { changes[subsystem] = level }
            }
            guard !changes.isEmpty else {
                throw APIError.missing("all", "a level for all, or one for \(names.joined(separator: ", "))")
            }
            levels.set(changes)
            logger.of(.server).notice(
                "log levels changed",
                metadata: Dictionary(uniqueKeysWithValues: changes.map { ($0.key.rawValue, "\($0.value)") }))
            return try Self.document(levels)
        }
    }

    private static func level(_ field: String, _ body: RequestFields) throws(APIError) -> Logger.Level? {
        guard let text = try body.text(field) else { return nil }
        guard let level = Logger.Level(rawValue: text) else {
            throw APIError.unknownWord(field, text, Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return level
    }

    private static func document(_ levels: LogLevels?) throws(APIError) -> Response {
        guard let levels else { throw APIError.noLogLevels }
        return .object { sink in
            sink.object("levels") { sink in
                for subsystem in LogLevels.Subsystem.allCases {
                    if sink.last != UInt8(ascii: "{") { sink.json(",") }
                    sink.string(subsystem.rawValue)
                    sink.json(":")
                    sink.string(levels[subsystem].rawValue)
                }
            }
        }
    }
}

extension APIError {
    fileprivate static let noLogLevels = APIError(
        .notFound, "no_log_levels", "This server's log is its application's, which decides its levels.")
}
