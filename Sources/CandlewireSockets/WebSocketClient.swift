public import Foundation

/// What a delegate is handed: something to write to.
public protocol WebSocketClient: AnyObject {
    func connect()
    func disconnect(closeCode: UInt16)
    func write(string: String, completion: (() -> Void)?)
    func write(stringData: Data, completion: (() -> Void)?)
    func write(data: Data, completion: (() -> Void)?)
    func write(ping: Data, completion: (() -> Void)?)
    func write(pong: Data, completion: (() -> Void)?)
}

extension WebSocketClient {
    public func write(string: String) { write(string: string, completion: nil) }
    public func write(stringData: Data) { write(stringData: stringData, completion: nil) }
    public func write(data: Data) { write(data: data, completion: nil) }
    public func write(ping: Data) { write(ping: ping, completion: nil) }
    public func write(pong: Data) { write(pong: pong, completion: nil) }
    public func disconnect() { disconnect(closeCode: CloseCode.normal.rawValue) }
}

/// Gets the events of a `WebSocket`, on its `callbackQueue`, in order.
///
/// Implement one of the two methods; a delegate with neither gets nothing.
public protocol WebSocketDelegate: AnyObject {
    /// As since Starscream 4.0.5.
    func didReceive(event: WebSocketEvent, client: any WebSocketClient)
    /// As in Starscream 4.0.0 to 4.0.4. The default calls the other method.
    func didReceive(event: WebSocketEvent, client: WebSocket)
}

extension WebSocketDelegate {
    public func didReceive(event: WebSocketEvent, client: any WebSocketClient) {}

    public func didReceive(event: WebSocketEvent, client: WebSocket) {
        didReceive(event: event, client: client as any WebSocketClient)
    }
}

/// The close codes of RFC 6455 section 7.4.1 that have a name here. Others are numbers: `disconnect(closeCode: 4000)`.
public enum CloseCode: UInt16 {
    case normal = 1000
    case goingAway = 1001
    case protocolError = 1002
    case protocolUnhandledType = 1003
    case noStatusReceived = 1005
    case encoding = 1007
    case policyViolated = 1008
    case messageTooBig = 1009
}

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
