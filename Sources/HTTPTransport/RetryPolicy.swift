public import MarketModel
internal import StreamCore

/// When a request is sent again, as a value: three attempts, one second and then two between them and never more than
/// ten, and only where a retry is safe.
///
/// Tried again are failures of the network, time-outs, and 503, which says that nothing was done. Every other status is
/// an answer. A request that is not idempotent is tried again only where it cannot have been carried out, which is not known
/// after a time-out or a broken connection.
public struct RetryPolicy: Sendable, Hashable {
    /// In all, the first included.
    public var attempts = 3
    /// Seconds before the second attempt; twice that before each further one.
    public var base = 1.0
    /// No pause is longer, in seconds.
    public var cap = 10.0
    /// The part of a pause that is left to chance, 0 to 1: clients that failed together shall not come back together.
    public var jitter = 0.25
    /// Whether to try again where the first attempt finds no server at all.
    public var retriesUnreachable = true

    public init() {}

    /// What became of an attempt that may be worth another one.
    public enum Failure: Sendable, Hashable {
        case notConnected, lost, timedOut
        /// With the seconds of its `Retry-After`.
        case unavailable(retryAfter: Double?)
    }

    /// Seconds until the next attempt; nil: there is none.
    /// - Parameters:
    ///   - attempt: how many were made, 1 and up.
    ///   - isIdempotent: whether carrying it out twice is the same as once.
    public func pause(
        after failure: Failure, attempt: Int, isIdempotent: Bool, random: inout SeededGenerator
    ) -> Double? {
        guard attempt < attempts else { return nil }
        switch failure {
        case .notConnected: guard retriesUnreachable || attempt > 1 else { return nil }
        case .lost, .timedOut: guard isIdempotent else { return nil }
        case .unavailable(let retryAfter):
            // A server that requires a longer pause than the cap gets no further request.
            if let retryAfter { return retryAfter <= cap ? retryAfter : nil }
        }
        let pauses = Backoff.Configuration(first: base, cap: cap, jitter: jitter)
        return pauses.wait(before: attempt, random: 1 - random.unit())
    }
}

/// What came of one attempt.
package enum RetryOutcome<Value> {
    case done(Value)
    /// Another one, after this many seconds.
    case again(after: Double)
}

extension HTTPTransport {
    /// Makes one attempt after another, until one is done or throws. Whether there is another one, and after which pause, the
    /// attempt says: see ``RetryPolicy``.
    /// - Parameter attempt: gets its number, 1 and up.
    package static func retrying<Value, Failure: Error>(
        sleep: (_ seconds: Double) async throws(Failure) -> Void,
        _ attempt: (_ number: Int) async throws(Failure) -> RetryOutcome<Value>
    ) async throws(Failure) -> Value {
        var number = 0
        while true {
            number += 1
            switch try await attempt(number) {
            case .done(let value): return value
            case .again(let pause): if pause > 0 { try await sleep(pause) }
            }
        }
    }
}

extension RetryPolicy.Failure {
    /// nil: another attempt would not help.
    public init?(_ error: HTTPTransportError) {
        switch error {
        case .notConnected: self = .notConnected
        case .lost: self = .lost
        case .timedOut: self = .timedOut
        case .badURL, .tooLarge, .cancelled: return nil
        }
    }
}
