import NIOCore
import StreamCore
import WebSocketTransport

/// One socket of the tracker, from the first packet to the last: passes on what it hears, until it is let go.
final class TrackerSocket: WebSocketHandlerDelegate {
    let number: PriceTracker.Socket
    private(set) var handler: WebSocketHandler?
    /// Nil once the tracker does not want to hear of it any more.
    private var driver: TrackerDriver?

    init(_ number: PriceTracker.Socket, _ driver: TrackerDriver) {
        self.number = number
        self.driver = driver
    }

    /// The handshake is done.
    func attach(_ handler: WebSocketHandler) {
        handler.delegate = self
        guard let driver else {
            // Let go while it was being opened: connecting cannot be taken back before.
            handler.terminate()
            return
        }
        self.handler = handler
        driver.tell { $0.opened(number, now: $1) }
    }

    /// From here on nothing of it is reported.
    func letGo() { driver = nil }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        driver?.received(text, on: number)
    }

    func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        driver?.received(bytes, on: number)
    }

    func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        driver?.tell { $0.pong(on: number, now: $1) }
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        handler = nil
        driver?.closed(number, code, reason, detectedHere: socket.ending == .violation)
    }
}
