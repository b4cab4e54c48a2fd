import StreamCore

/// An event with its bytes copied, so that transcripts can be compared.
enum Received: Equatable, CustomStringConvertible {
    case text(String)
    case binary([UInt8])
    case compressed([UInt8], isText: Bool)
    case ping([UInt8])
    case pong([UInt8])
    case close(UInt16, String)
    case failed(WebSocketFailure)

    init(_ event: WebSocketMachineEvent) {
        switch event {
        case .text(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
        case .binary(let bytes): self = .binary(Array(bytes))
        case .compressed(let bytes, let isText): self = .compressed(Array(bytes), isText: isText)
        case .ping(let bytes): self = .ping(Array(bytes))
        case .pong(let bytes): self = .pong(Array(bytes))
        case .close(let code, let reason): self = .close(code.rawValue, String(decoding: reason, as: UTF8.self))
        case .failed(let failure): self = .failed(failure)
        }
    }

    var description: String {
        switch self {
        case .text(let text): "text(\(text.count > 40 ? "\(text.utf8.count) bytes" : text))"
        case .binary(let bytes): "binary(\(bytes.count > 16 ? "\(bytes.count) bytes" : "\(bytes)"))"
        case .compressed(let bytes, let isText): "compressed(\(bytes.count) bytes, isText: \(isText))"
        case .ping(let bytes): "ping(\(bytes))"
        case .pong(let bytes): "pong(\(bytes))"
        case .close(let code, let reason): "close(\(code), \(reason))"
        case .failed(let failure): "failed(\(failure))"
        }
    }
}

/// Gives the pieces to a new machine, one after the other, and returns everything it says.
func receive(
    _ pieces: [[UInt8]], as role: WebSocketRole, limits: WebSocketLimits = .client, allowsCompression: Bool = false
) -> [Received] {
    var machine = WebSocketMachine(role: role, limits: limits, allowsCompression: allowsCompression)
    var received: [Received] = []
    for piece in pieces {
        piece.withUnsafeBytes { bytes in
            var input = bytes
            while let event = machine.next(&input) { received.append(Received(event)) }
        }
    }
    return received
}

func receive(_ bytes: [UInt8], as role: WebSocketRole = .client, limits: WebSocketLimits = .client) -> [Received] {
    receive([bytes], as: role, limits: limits)
}

/// A frame, made by our own encoder; the transport's tests compare that one with NIO's.
func frame(
    _ opcode: WebSocketOpcode, _ payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false, mask: UInt32? = nil
) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: WebSocketFrameHeader.maximumLength)
    let length = bytes.withUnsafeMutableBytes {
        WebSocketFrameEncoder.writeHeader(
            to: $0.baseAddress!, opcode: opcode, isFinal: isFinal, isCompressed: isCompressed,
            payloadLength: payload.count, maskKey: mask)
    }
    bytes.removeSubrange(length...)
    let key = (0..<4).map { UInt8(truncatingIfNeeded: (mask ?? 0) >> ($0 * 8)) }
    bytes += payload.enumerated().map { $1 ^ key[$0 % 4] }
    return bytes
}

func frame(_ opcode: WebSocketOpcode, _ text: String, isFinal: Bool = true, mask: UInt32? = nil) -> [UInt8] {
    frame(opcode, Array(text.utf8), isFinal: isFinal, mask: mask)
}
