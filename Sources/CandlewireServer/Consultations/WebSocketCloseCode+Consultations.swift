import StreamCore

extension WebSocketCloseCode {
    /// The conversation is somebody else's. It must not reconnect.
    static let foreignConsultation = WebSocketCloseCode(rawValue: 4103)
    /// There is no such conversation, or there is none any more. It must not reconnect.
    static let unknownConsultation = WebSocketCloseCode(rawValue: 4104)
}
