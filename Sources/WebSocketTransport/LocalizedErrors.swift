// `localizedDescription` is the sentence, also for errors of StreamCore.
public import Foundation
@_exported public import StreamErrors

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
