package import StreamCore

extension SessionProblem {
    /// As a sentence for a person.
    package var words: String {
        switch self {
        case .closed(let code, let reason) where reason.isEmpty: "The connection was closed with \(code.rawValue)."
        // No peer closes with this code: the reason is ours, a sentence by itself.
        case .closed(.abnormal, let reason): "\(reason.prefix(1).uppercased())\(reason.dropFirst())."
        case .closed(_, let reason): "The connection ended: \(reason)"
        case .refused(let status): "The connection was refused with the status \(status)."
        case .timedOut: "The venue did not answer in time."
        case .heartbeatMissed: "Nothing came from the venue any more."
        case .server(_, let message): message
        case .malformed(let what): what
        }
    }
}

extension SessionFailure {
    package var words: String {
        switch self {
        case .closeCode(let code, let reason): "closed with \(code.rawValue) \(reason)"
        case .refused(let status): "refused with the status \(status)"
        case .unauthorized: "the key was not accepted"
        case .attemptsExhausted: "all attempts are used up"
        }
    }
}
