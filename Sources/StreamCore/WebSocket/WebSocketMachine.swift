/// The receiving half of RFC 6455 as a value: bytes go in, messages come out, in any cut of the bytes.
///
/// ```swift
/// var input = bytes
/// while let event = machine.next(&input) {
///     switch event { … }
/// }
/// ```
///
/// It returns one event at a time instead of calling back, so that what handles an event may do anything with
/// the connection meanwhile (also stop reading: what is left in `input` is kept by the caller).
///
/// - A message that lies whole and unmasked in the input is delivered where it lies; nothing is copied or allocated.
///   Masked or cut ones are put together in memory the machine keeps (up to 4 KiB between messages).
/// - Text is validated as it comes and refused at the first wrong byte (section 8.1).
/// - Compressed messages (RFC 7692), where they are allowed, are put together and handed out as they are.
/// - After `close` or `failed` no event follows and input is discarded.
public struct WebSocketMachine: ~Copyable {
    public let role: WebSocketRole
    public let limits: WebSocketLimits
    /// Whether permessage-deflate was agreed on.
    public var allowsCompression: Bool { parser.allowsCompression }
    /// Whether a close frame or a failure ended the conversation.
    public private(set) var isFinished = false

    private let parser: WebSocketFrameParser
    private var partialHead = PartialHead()

    // The frame under way.
    private var isInFrame = false
    private var opcode = WebSocketOpcode.continuation
    private var isFinal = false
    private var remaining = 0
    private var isMasked = false
    private var maskKey: UInt32 = 0

    // The message under way; `.continuation` where there is none.
    private var messageOpcode = WebSocketOpcode.continuation
    private var isCompressed = false
    private var fragments = 0
    private var validator = UTF8Validator()
    private var message = ByteStore()
    private var control = ByteStore()
    /// The last event looks into a store, which is emptied for the next one.
    private var holdsMessage = false

    /// How much of its memory an idle connection keeps.
    private static let keptCapacity = 4096
    private static let nonASCII: UInt64 = 0x8080_8080_8080_8080

    public init(role: WebSocketRole, limits: WebSocketLimits, allowsCompression: Bool = false) {
        self.role = role
        self.limits = limits
        parser = WebSocketFrameParser(role: role, allowsCompression: allowsCompression)
    }

    /// Payload bytes of an unfinished message that the machine holds.
    public var bufferedBytes: Int { message.count &+ control.count }

    /// Consumes bytes from the front of `input` until there is an event; nil when all are used up.
    ///
    /// - Complexity: O(bytes consumed).
    public mutating func next(_ input: inout UnsafeRawBufferPointer) -> WebSocketMachineEvent? {
        if holdsMessage {
            message.shrink(to: Self.keptCapacity)
            holdsMessage = false
        }
        while !isFinished {
            if !isInFrame {
                switch readHead(&input) {
                case .needs: return nil
                case .failed(let failure): return fail(failure)
                case .header(let header, _): if let failure = begin(header) { return fail(failure) }
                }
                if remaining <= input.count {
                    // The usual case: the rest of the frame is here.
                    if let event = readWhole(&input) { return event }
                    continue
                }
            }
            guard readPart(&input) else { return fail(.invalidUTF8) }
            guard remaining == 0 else { return nil }
            if let event = endFrame() { return event }
        }
        input = UnsafeRawBufferPointer(start: nil, count: 0)
        return nil
    }

    // MARK: Heads

    private mutating func readHead(_ input: inout UnsafeRawBufferPointer) -> WebSocketFrameParser.Result {
        if partialHead.isEmpty {
            let result = parser.parse(input)
            switch result {
            case .header(_, let length): input = input.dropping(length)
            case .needs: partialHead.append(input.count, from: &input)
            case .failed: break
            }
            return result
        }
        while true {
            let result = partialHead.withBytes { parser.parse($0) }
            guard case .needs(let needed) = result else {
                partialHead.removeAll()
                return result
            }
            guard input.count > 0 else { return result }
            partialHead.append(min(needed &- partialHead.count, input.count), from: &input)
        }
    }

    /// Starts a frame, or fails where it may not come here.
    private mutating func begin(_ header: WebSocketFrameHeader) -> WebSocketFailure? {
        if header.opcode.isControl {
            control.removeAll()
        } else {
            if header.opcode == .continuation {
                guard messageOpcode != .continuation else { return .unexpectedContinuation }
            } else {
                guard messageOpcode == .continuation else { return .expectedContinuation }
                messageOpcode = header.opcode
                isCompressed = header.isCompressed
                fragments = 0
                validator = UTF8Validator()
            }
            fragments &+= 1
            guard fragments <= limits.fragmentsPerMessage else { return .tooManyFragments }
            guard header.payloadLength <= limits.frameBytes else { return .frameTooBig }
            guard header.payloadLength <= limits.messageBytes &- message.count else { return .messageTooBig }
        }
        isInFrame = true
        opcode = header.opcode
        isFinal = header.isFinal
        remaining = header.payloadLength
        isMasked = header.maskKey != nil
        maskKey = header.maskKey ?? 0
        return nil
    }

    // MARK: Payloads

    /// Reads a frame whose payload lies whole in `input`.
    private mutating func readWhole(_ input: inout UnsafeRawBufferPointer) -> WebSocketMachineEvent? {
        let isUnfragmented = isFinal && opcode != .continuation
        guard isUnfragmented, !(isMasked && opcode.isControl) else {
            guard readPart(&input) else { return fail(.invalidUTF8) }
            return endFrame()
        }
        let count = remaining
        let source = UnsafeRawBufferPointer(start: input.baseAddress, count: count)
        input = input.dropping(count)
        remaining = 0
        isInFrame = false
        if opcode.isControl { return controlEvent(source) }

        messageOpcode = .continuation
        var payload = source
        var isASCII = false
        if isMasked, count > 0, let base = source.baseAddress {
            // Unmasking looks at every byte already.
            let seen = WebSocketMask.apply(maskKey, from: base, to: message.extend(by: count), count: count)
            isASCII = seen & Self.nonASCII == 0
            holdsMessage = true
            payload = message.bytes
        }
        if isCompressed { return .compressed(payload, isText: opcode == .text) }
        if opcode == .binary { return .binary(payload) }
        return isASCII || UTF8Validator.isValid(payload) ? .text(payload) : fail(.invalidUTF8)
    }

    /// Moves what `input` has of the payload into the store of its kind.
    /// - Returns: false where text stopped being UTF-8.
    private mutating func readPart(_ input: inout UnsafeRawBufferPointer) -> Bool {
        let count = min(remaining, input.count)
        guard count > 0, let source = input.baseAddress else { return true }
        let target = opcode.isControl ? control.extend(by: count) : message.extend(by: count)
        if isMasked {
            WebSocketMask.apply(maskKey, from: source, to: target, count: count)
            maskKey = WebSocketMask.advance(maskKey, by: count)
        } else {
            target.copyMemory(from: source, byteCount: count)
        }
        input = input.dropping(count)
        remaining &-= count
        guard messageOpcode == .text, !opcode.isControl, !isCompressed else { return true }
        return validator.consume(UnsafeRawBufferPointer(start: target, count: count))
    }

    /// Ends a frame that was put together in a store; nil where its message goes on.
    private mutating func endFrame() -> WebSocketMachineEvent? {
        isInFrame = false
        if opcode.isControl { return controlEvent(control.bytes) }
        guard isFinal else { return nil }
        let isText = messageOpcode == .text
        messageOpcode = .continuation
        if isText, !isCompressed, !validator.isComplete { return fail(.invalidUTF8) }
        holdsMessage = true
        if isCompressed { return .compressed(message.bytes, isText: isText) }
        return isText ? .text(message.bytes) : .binary(message.bytes)
    }

    private mutating func controlEvent(_ payload: UnsafeRawBufferPointer) -> WebSocketMachineEvent {
        switch opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        case .close, .continuation, .text, .binary: break
        }
        isFinished = true
        guard payload.count > 0 else { return .close(.noStatus, reason: payload) }
        guard payload.count >= 2 else { return fail(.truncatedCloseCode) }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isAllowedOnWire else { return fail(.invalidCloseCode) }
        let reason = payload.dropping(2)
        return UTF8Validator.isValid(reason) ? .close(code, reason: reason) : fail(.invalidUTF8InCloseReason)
    }

    private mutating func fail(_ failure: WebSocketFailure) -> WebSocketMachineEvent {
        isFinished = true
        message.shrink(to: 0)
        return .failed(failure)
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes behind the first `count`, which must be there.
    @inline(__always)
    fileprivate func dropping(_ count: Int) -> UnsafeRawBufferPointer {
        guard let baseAddress else { return self }
        return UnsafeRawBufferPointer(start: baseAddress + count, count: self.count &- count)
    }
}

/// What a `WebSocketMachine` reads from the wire.
///
/// The payload pointers look into the bytes that were given, or into the machine: they are valid until the machine is
/// called for the next event, and not longer.
public enum WebSocketMachineEvent {
    /// A whole text message; it is valid UTF-8.
    case text(UnsafeRawBufferPointer)
    /// A whole binary message.
    case binary(UnsafeRawBufferPointer)
    /// A whole message as it came over the wire, to be inflated where permessage-deflate was agreed on: text must be
    /// checked to be UTF-8 after that. Comes only where the machine `allowsCompression`.
    case compressed(UnsafeRawBufferPointer, isText: Bool)
    /// To be answered by a pong with the same bytes (at most 125).
    case ping(UnsafeRawBufferPointer)
    case pong(UnsafeRawBufferPointer)
    /// The peer closes; `noStatus` where its frame held no code. The reason is valid UTF-8. Nothing comes after it.
    case close(WebSocketCloseCode, reason: UnsafeRawBufferPointer)
    /// The peer broke the rules: close with the failure's code. Nothing comes after it.
    case failed(WebSocketFailure)
}
