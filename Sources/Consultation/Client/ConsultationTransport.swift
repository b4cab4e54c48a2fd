public import Foundation
public import StreamCore
internal import WebSocketTransport

/// What happened to a session's sockets.
public enum ConsultationTransportEvent: Sendable, Equatable {
    case opened(SocketNumber)
    /// The handshake was answered with another status than 101; 0 where there was no answer.
    /// - Parameter retryAfter: seconds, from the header of that name.
    case refused(SocketNumber, status: Int, retryAfter: Double?)
    case text(SocketNumber, [UInt8])
    /// A binary message of this many bytes.
    case binary(SocketNumber, bytes: Int)
    /// `abnormal` where no close frame came. `detectedHere`: the code is this side's, about what it received.
    case closed(SocketNumber, WebSocketCloseCode, reason: String, detectedHere: Bool)
}

/// How a session's sockets are opened: over the network, simulated, or by a test. One session, one transport.
@MainActor
public protocol ConsultationTransport: AnyObject {
    /// Set by the session; to be called on the main actor, never from within one of the calls below.
    var onEvent: ((ConsultationTransportEvent) -> Void)? { get set }

    /// - Parameter token: for the handshake; `nil`: none.
    /// - Throws: what is wrong with where it goes, in a sentence; no event follows.
    func open(_ socket: SocketNumber, token: String?) throws(ConsultationSetupError)
    func send(_ frame: [UInt8], on socket: SocketNumber)
    /// Begins the close handshake. Nothing of the socket needs to be reported any more.
    func close(_ socket: SocketNumber, _ code: WebSocketCloseCode, reason: String)
    /// Ends the socket at once. Nothing of it needs to be reported any more.
    func drop(_ socket: SocketNumber)
}

/// What keeps a consultation from being reached at all. A sentence for the user.
public enum ConsultationSetupError: String, LocalizedError, Sendable, CustomStringConvertible {
    case noToken = "No authentication token"
    case invalidURL = "Invalid URL"

    public var description: String { rawValue }
    public var errorDescription: String? { rawValue }
}

/// The time of a session, in seconds from its start, from any Swift clock: on a test's clock an hour passes in no time.
public struct ConsultationClock: Sendable {
    /// Seconds since 1970 UTC at the start.
    public let epoch: Double
    public let now: @Sendable () -> Double
    /// Waits until a time; throws `CancellationError` where the task is cancelled.
    public let sleep: @Sendable (_ until: Double) async throws -> Void

    /// What is so close is due: a time of day in seconds is exact to a quarter of a microsecond only. A
    /// timer that fires a rounding too early must not start again and again.
    static let resolution = 1e-6

    /// - Parameters:
    ///   - clock: what is waited by.
    ///   - epoch: what time it is now, seconds since 1970 UTC.
    public init<C: Clock<Duration>>(_ clock: C, epoch: Double) {
        let origin = clock.now
        self.epoch = epoch
        now = { origin.duration(to: clock.now) / .seconds(1) }
        sleep = { try await clock.sleep(until: origin.advanced(by: .seconds($0)), tolerance: nil) }
    }

    /// The system's. Goes on through a change of the system's time.
    public static var system: ConsultationClock { ConsultationClock(ContinuousClock(), epoch: wallClock()) }
}
