/// For code that names the module with the type, as in `Starscream.WebSocketEvent`.
public enum Starscream {
    public typealias CertificatePinning = CandlewireSockets.CertificatePinning
    public typealias CloseCode = CandlewireSockets.CloseCode
    public typealias CompressionHandler = CandlewireSockets.CompressionHandler
    public typealias ErrorType = CandlewireSockets.ErrorType
    public typealias FoundationSecurity = CandlewireSockets.FoundationSecurity
    public typealias HTTPUpgradeError = CandlewireSockets.HTTPUpgradeError
    public typealias WebSocket = CandlewireSockets.WebSocket
    public typealias WebSocketClient = CandlewireSockets.WebSocketClient
    public typealias WebSocketDelegate = CandlewireSockets.WebSocketDelegate
    public typealias WebSocketEvent = CandlewireSockets.WebSocketEvent
    public typealias WSCompression = CandlewireSockets.WSCompression
    public typealias WSError = CandlewireSockets.WSError
}
