// `localizedDescription` is the sentence, also for errors of StreamCore, which does without Foundation.
public import Foundation
public import StreamCore

extension WebSocketConnectError: LocalizedError {
    public var errorDescription: String? { description }
}

extension WebSocketUpgradeError: LocalizedError {
    public var errorDescription: String? { description }
}

extension WebSocketClosedError: LocalizedError {
    public var errorDescription: String? { description }
}

extension WebSocketTLSError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ChannelRefused: LocalizedError {
    public var errorDescription: String? { description }
}

extension WireError: LocalizedError {
    public var errorDescription: String? { message }
}

extension JSONError: LocalizedError {
    public var errorDescription: String? { "\(problem.sentence) at byte \(offset)" }
}
