import StreamCore

/// Where the tracker's connection stands, in the words that a view shows.
public enum TrackerConnection: Sendable, Equatable {
    case disconnected
    case connecting
    case connected
    /// It was lost, or did not come about, and is tried again.
    case reconnecting
    /// Given up, with a sentence that says why.
    case failed(String)

    public var name: String { if case .failed = self { "failed" } else { "\(self)" } }

    init(_ state: SessionState, isRetry: Bool, lastProblem: String?) {
        switch state {
        case .idle, .closed: self = .disconnected
        case .connecting, .authenticating: self = isRetry ? .reconnecting : .connecting
        case .open: self = .connected
        case .waiting: self = .reconnecting
        case .failed(let failure): self = .failed(Self.sentence(failure, lastProblem))
        }
    }

    private static func sentence(_ failure: SessionFailure, _ lastProblem: String?) -> String {
        switch failure {
        case .closeCode(let code, let reason):
            reason.isEmpty ? "closed with \(code.rawValue)" : "closed with \(code.rawValue): \(reason)"
        case .refused(let status): "the server answered \(status)"
        case .unauthorized: "the server requires a login"
        case .attemptsExhausted: lastProblem ?? "no connection"
        }
    }
}
