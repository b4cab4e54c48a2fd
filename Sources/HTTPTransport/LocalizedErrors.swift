public import Foundation

// `localizedDescription` is the sentence.
extension HTTPTransportError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .badURL: "the address is not a URL"
        case .notConnected(let reason): "the server cannot be reached: \(reason)"
        case .lost: "the connection broke before the answer was complete"
        case .timedOut: "the server did not answer in time"
        case .tooLarge: "the answer is too large"
        case .cancelled: "the request was cancelled"
        }
    }
}
