public import Logging
import Synchronization

/// How much each part of a server logs; it may change while the server runs.
///
/// Reading a level takes no lock: it is read for every line that a part might write.
public final class LogLevels: Sendable {
    /// The parts of a server that have levels of their own.
    public enum Subsystem: String, Sendable, CaseIterable {
        /// Start, end, clock and configuration.
        case server
        case http
        case feeds
        case store
        case trading
        case consultations
    }

    /// Four bits each.
    private let levels: Atomic<UInt64>

    public init(_ level: Logger.Level) {
        var packed: UInt64 = 0
        for subsystem in Subsystem.allCases { Self.set(Self.number(level), subsystem, in: &packed) }
        levels = Atomic(packed)
    }

    public subscript(subsystem: Subsystem) -> Logger.Level {
        let packed = levels.load(ordering: .relaxed)
        return Logger.Level.allCases[Int(packed >> Self.shift(subsystem) & 15)]
    }

    /// All changes at once.
    public func set(_ changes: [Subsystem: Logger.Level]) {
        var packed = levels.load(ordering: .relaxed)
        while true {
            var next = packed
            for (subsystem, level) in changes { Self.set(Self.number(level), subsystem, in: &next) }
            let result = levels.compareExchange(expected: packed, desired: next, ordering: .relaxed)
            if result.exchanged { return }
            packed = result.original
        }
    }

    private static func number(_ level: Logger.Level) -> UInt64 {
        UInt64(Logger.Level.allCases.firstIndex(of: level) ?? 0)
    }

    private static func shift(_ subsystem: Subsystem) -> UInt64 {
        UInt64(4 * (Subsystem.allCases.firstIndex(of: subsystem) ?? 0))
    }

    private static func set(_ level: UInt64, _ subsystem: Subsystem, in packed: inout UInt64) {
        packed = packed & ~(15 << shift(subsystem)) | level << shift(subsystem)
    }
}

extension Logger {
    static let subsystemKey = "subsystem"

    /// The logger of a part of the server.
    func of(_ subsystem: LogLevels.Subsystem) -> Logger {
        var logger = self
        logger[metadataKey: Self.subsystemKey] = "\(subsystem.rawValue)"
        return logger
    }

    /// The same, with the name of the request that is being answered, for lines that are written on another thread.
    var ofRequest: Logger {
        guard let id = RequestScope.correlationID else { return self }
        var logger = self
        logger[metadataKey: RequestScope.key] = "\(id)"
        return logger
    }
}

/// The request that a task answers.
enum RequestScope {
    static let key = "correlation_id"

    /// Its name, where there is one.
    @TaskLocal static var correlationID: String?
}
