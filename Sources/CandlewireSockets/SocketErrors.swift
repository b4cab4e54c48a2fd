public import Foundation
import NIOHTTP1
import StreamCore
import WebSocketTransport

public enum ErrorType: LocalizedError {
    case compressionError
    /// TLS: the certificate, the host's name, a pin.
    case securityError
    /// The server broke the protocol, or what it answers to the handshake is none.
    case protocolError
    /// The server cannot be reached, or is gone.
    case serverError

    public var errorDescription: String? {
        switch self {
        case .compressionError: "a message could not be compressed or decompressed"
        case .securityError: "the server is not trusted"
        case .protocolError: "the server broke the WebSocket protocol"
        case .serverError: "the server cannot be reached, or is gone"
        }
    }
}

/// What went wrong, with a sentence for people.
public struct WSError: LocalizedError, CustomStringConvertible {
    public let type: ErrorType
    public let message: String
    /// A close code: 1002, 1007, 1009 for what the server did, 1015 for TLS, else 1006.
    public let code: UInt16

    public init(type: ErrorType, message: String, code: UInt16) {
        self.type = type
        self.message = message
        self.code = code
    }

    public var description: String { message }
    public var errorDescription: String? { message }
}

/// The server answered the handshake, but not with a WebSocket.
public enum HTTPUpgradeError: LocalizedError {
    /// The HTTP status (401, 404, 503 …) and the answer's headers.
    case notAnUpgrade(Int, [String: String])
    case invalidData

    public var errorDescription: String? {
        switch self {
        case .notAnUpgrade(let status, _): "the server refused the WebSocket: HTTP \(status)"
        case .invalidData: "the server's answer to the handshake is not HTTP"
        }
    }
}

/// Puts the transport's errors into these types.
func translated(_ error: any Error) -> any Error {
    switch error {
    case let refusal as WebSocketUpgradeError:
        return HTTPUpgradeError.notAnUpgrade(Int(refusal.status.code), dictionary(refusal.headers))
    case let failure as WebSocketConnectError where failure.code == .tlsFailed:
        return WSError(type: .securityError, message: failure.description, code: WebSocketCloseCode.tlsFailure.rawValue)
    case let failure as WebSocketConnectError where failure.code == .invalidHandshake || failure.code == .badURL:
        return WSError(
            type: .protocolError, message: failure.description, code: WebSocketCloseCode.protocolError.rawValue)
    default:
        return WSError(
            type: .serverError, message: NetworkFailure(error).words, code: WebSocketCloseCode.abnormal.rawValue)
    }
}

/// Headers of the same name are one value, as RFC 9110 section 5.3 joins them.
func dictionary(_ headers: HTTPHeaders) -> [String: String] {
    Dictionary(headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
}
