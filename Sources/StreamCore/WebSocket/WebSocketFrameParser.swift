/// Reads frame heads from bytes, without state: it returns how many bytes it still needs, and its caller keeps them.
///
/// What is judged depends only on the bytes available, never on how they were cut, so a connection fails at the same
/// byte whatever the network does. Lengths need not be in their shortest form: the RFC requires that of senders only.
@usableFromInline package struct WebSocketFrameParser: Sendable {
    @usableFromInline package enum Result {
        /// The head is complete, with `length` bytes.
        case header(WebSocketFrameHeader, length: Int)
        /// The head has at least this many bytes, more than there are.
        case needs(Int)
        case failed(WebSocketFailure)
    }

    /// The end that receives: a server requires masked frames, a client unmasked ones.
    @usableFromInline package let role: WebSocketRole
    /// Whether permessage-deflate was agreed on, which gives RSV1 a meaning on the first frame of a message.
    @usableFromInline package let allowsCompression: Bool

    @inlinable package init(role: WebSocketRole, allowsCompression: Bool = false) {
        self.role = role
        self.allowsCompression = allowsCompression
    }

    /// Reads the head at the start of `bytes`.
    @inlinable package func parse(_ bytes: UnsafeRawBufferPointer) -> Result {
        let available = bytes.count
        guard available >= 2, let base = bytes.baseAddress else { return .needs(2) }
        let first = base.load(as: UInt8.self)
        let second = base.load(fromByteOffset: 1, as: UInt8.self)

        // RSV1 is where a compressed message is announced (RFC 7692); without the extension all three are errors.
        guard first & (allowsCompression ? 0x30 : 0x70) == 0 else { return .failed(.reservedBit) }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else { return .failed(.reservedOpcode) }
        let isCompressed = first & 0x40 != 0
        guard !isCompressed || opcode == .text || opcode == .binary else { return .failed(.reservedBit) }
        let isFinal = first & 0x80 != 0
        let isMasked = second & 0x80 != 0
        let shortLength = Int(second & 0x7F)
        if opcode.isControl {
            guard isFinal else { return .failed(.fragmentedControlFrame) }
            guard shortLength <= 125 else { return .failed(.oversizedControlFrame) }
        }
        guard isMasked == (role == .server) else { return .failed(isMasked ? .maskedFrame : .unmaskedFrame) }

        var length = 2
        var payloadLength = shortLength
        if shortLength == 126 {
            length = 4
            guard available >= 4 else { return .needs(4) }
            payloadLength = Int(UInt16(bigEndian: base.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        } else if shortLength == 127 {
            length = 10
            guard available >= 10 else { return .needs(10) }
            let long = UInt64(bigEndian: base.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard long >> 63 == 0 else { return .failed(.invalidLength) }
            // Where Int has 32 bits (WebAssembly) a length beyond it is beyond every limit as well.
            payloadLength = Int(clamping: long)
        }
        var maskKey: UInt32?
        if isMasked {
            guard available >= length &+ 4 else { return .needs(length &+ 4) }
            maskKey = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: length, as: UInt32.self))
            length &+= 4
        }
        return .header(
            WebSocketFrameHeader(
                isFinal: isFinal, opcode: opcode, isCompressed: isCompressed, payloadLength: payloadLength,
                maskKey: maskKey),
            length: length)
    }
}

/// The first bytes of a frame whose head was cut by the network. Inline: an idle connection pays 24 bytes for it.
struct PartialHead {
    private var storage: (UInt64, UInt64) = (0, 0)
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    mutating func removeAll() { count = 0 }

    /// Moves `length` bytes from the front of `input`. All together never exceed `WebSocketFrameHeader.maximumLength`.
    mutating func append(_ length: Int, from input: inout UnsafeRawBufferPointer) {
        guard length > 0, let source = input.baseAddress else { return }
        precondition(count + length <= WebSocketFrameHeader.maximumLength)
        withUnsafeMutableBytes(of: &storage) { target in
            for index in 0..<length { target[count + index] = source.load(fromByteOffset: index, as: UInt8.self) }
        }
        count += length
        input = UnsafeRawBufferPointer(start: source + length, count: input.count - length)
    }

    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: storage) { body(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
    }
}
