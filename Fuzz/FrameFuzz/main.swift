import StreamCore

/// Feeds arbitrary bytes to both roles of the WebSocket machine, whole and cut, and traps where the two disagree or an
/// invariant breaks. Built as a library: libFuzzer brings the `main`.
///
/// Most random input dies on its first byte, so the input also decides how to make frames of itself: then the states
/// behind a valid head are reached too.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFrames(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: count)
    // Small limits are reached, and then broken, within a fuzzer's short inputs.
    let limits = WebSocketLimits(frameBytes: 300, messageBytes: 500, fragmentsPerMessage: 4)
    for role in [WebSocketRole.client, .server] {
        for allowsCompression in [false, true] {
            let kind = Kind(role: role, limits: limits, allowsCompression: allowsCompression)
            check(Array(input), kind)
            check(framed(input, kind), kind)
        }
    }
    return 0
}

/// What the machine is set to.
private struct Kind {
    var role: WebSocketRole
    var limits: WebSocketLimits
    var allowsCompression: Bool
}

private func check(_ bytes: [UInt8], _ kind: Kind) {
    let whole = transcript([bytes], kind)
    precondition(whole == transcript(bytes.map { [$0] }, kind), "bytewise differs from whole")
    for step in [UInt64(1), 2, 3] {
        let pieces = cut(bytes, seed: step)
        precondition(whole == transcript(pieces, kind), "pieces differ from whole")
    }
}

/// Everything the machine says, as bytes.
private func transcript(_ pieces: [[UInt8]], _ kind: Kind) -> [UInt8] {
    let limits = kind.limits
    var machine = WebSocketMachine(role: kind.role, limits: limits, allowsCompression: kind.allowsCompression)
    var said: [UInt8] = []
    var hasEnded = false
    for piece in pieces {
        piece.withUnsafeBytes { bytes in
            var rest = bytes
            while let event = machine.next(&rest) {
                precondition(!hasEnded, "an event after the end")
                precondition(rest.count <= bytes.count)
                switch event {
                case .text(let text):
                    precondition(String(validating: text, as: UTF8.self) != nil, "text that is not UTF-8")
                    precondition(text.count <= limits.messageBytes)
                    said += [1] + text
                case .binary(let binary):
                    precondition(binary.count <= limits.messageBytes)
                    said += [2] + binary
                case .compressed(let payload, let isText):
                    precondition(kind.allowsCompression, "a compressed message without an agreement")
                    precondition(payload.count <= limits.messageBytes)
                    said += [isText ? 7 : 8] + payload
                case .ping(let payload):
                    precondition(payload.count <= 125)
                    said += [3] + payload
                case .pong(let payload):
                    precondition(payload.count <= 125)
                    said += [4] + payload
                case .close(let code, let reason):
                    precondition(code.isAllowedOnWire || code == .noStatus)
                    precondition(String(validating: reason, as: UTF8.self) != nil)
                    said += [5, UInt8(code.rawValue >> 8), UInt8(code.rawValue & 255)] + reason
                    hasEnded = true
                case .failed(let failure):
                    precondition(failure.closeCode.isAllowedOnWire)
                    said += [6] + "\(failure)".utf8
                    hasEnded = true
                }
            }
            precondition(rest.isEmpty, "bytes left without an event")
        }
        precondition(machine.isFinished == hasEnded)
        precondition(machine.bufferedBytes <= limits.messageBytes + 125)
    }
    return said
}

/// Frames made of the input: a byte that picks opcode and FIN, one for the length, then that much payload.
private func framed(_ input: UnsafeBufferPointer<UInt8>, _ kind: Kind) -> [UInt8] {
    let opcodes: [WebSocketOpcode] = [.text, .binary, .continuation, .ping, .pong, .close, .text, .continuation]
    var frames: [UInt8] = []
    var at = 0
    while at + 2 <= input.count {
        let choice = input[at]
        var length = Int(input[at + 1])
        if choice & 0x40 != 0 { length += 200 }
        at += 2
        let payload = (0..<length).map { index in input.isEmpty ? 0 : input[(at + index) % input.count] }
        at += length
        let mask: UInt32? = kind.role == .server ? UInt32(choice) &* 0x9E37_79B9 : nil
        var head = [UInt8](repeating: 0, count: WebSocketFrameHeader.maximumLength)
        let headLength = head.withUnsafeMutableBytes {
            WebSocketFrameEncoder.writeHeader(
                to: $0.baseAddress!, opcode: opcodes[Int(choice & 7)], isFinal: choice & 0x18 != 0,
                isCompressed: choice & 0x80 != 0 && kind.allowsCompression, payloadLength: payload.count, maskKey: mask)
        }
        frames += head[0..<headLength]
        for (index, byte) in payload.enumerated() {
            frames.append(byte ^ UInt8(truncatingIfNeeded: (mask ?? 0) >> UInt32(index % 4 * 8)))
        }
    }
    return frames
}

/// Pieces of pseudo-random size, the same for the same input.
private func cut(_ bytes: [UInt8], seed: UInt64) -> [[UInt8]] {
    var state = seed
    var pieces: [[UInt8]] = []
    var at = 0
    while at < bytes.count {
        state = (state ^ UInt64(bytes[at])) &* 0x5851_F42D_4C95_7F2D &+ 1
        let size = min(bytes.count - at, 1 + Int(state >> 59))
        pieces.append(Array(bytes[at..<at + size]))
        at += size
    }
    return pieces
}
