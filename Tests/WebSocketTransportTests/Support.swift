import NIOCore
import NIOEmbedded
import StreamCore
import WebSocketTransport

/// A delegate that writes everything down.
final class Recorder: WebSocketHandlerDelegate {
    var log: [String] = []
    var onText: ((String, WebSocketHandler) -> Void)?
    var onPing: ((WebSocketHandler) -> Void)?
    var onGoAway: ((WebSocketHandler) -> Void)?

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        let text = String(decoding: text, as: UTF8.self)
        log.append("text \(text)")
        onText?(text, socket)
    }
    func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        log.append("binary \(Array(bytes))")
    }
    func webSocketPing(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        log.append("ping \(Array(payload))")
        onPing?(socket)
    }
    func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        log.append("pong \(Array(payload))")
    }
    func webSocketWritabilityChanged(_ isWritable: Bool, on socket: WebSocketHandler) {
        log.append("writable \(isWritable)")
    }
    func webSocketWillGoAway(on socket: WebSocketHandler) {
        log.append("going away")
        onGoAway?(socket)
    }
    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        log.append("closed \(code.rawValue) \(reason)")
    }
}

/// One frame as a peer would send it.
func wireFrame(
    _ opcode: WebSocketOpcode, _ payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false,
    mask: UInt32? = nil
) -> ByteBuffer {
    var head = [UInt8](repeating: 0, count: WebSocketFrameHeader.maximumLength)
    let length = head.withUnsafeMutableBytes {
        WebSocketFrameEncoder.writeHeader(
            to: $0.baseAddress!, opcode: opcode, isFinal: isFinal, isCompressed: isCompressed,
            payloadLength: payload.count, maskKey: mask)
    }
    var buffer = ByteBuffer(bytes: head[0..<length])
    buffer.writeBytes(
        payload.enumerated().map { $1 ^ UInt8(truncatingIfNeeded: (mask ?? 0) >> UInt32($0 % 4 * 8)) })
    return buffer
}

func wireFrame(
    _ opcode: WebSocketOpcode, _ text: String, isFinal: Bool = true, mask: UInt32? = nil
) -> ByteBuffer {
    wireFrame(opcode, Array(text.utf8), isFinal: isFinal, mask: mask)
}

extension TimeAmount {
    /// For handshakes of tests: on a busy machine other tests hold the event loops for seconds.
    static var patient: TimeAmount { .seconds(60) }
}
