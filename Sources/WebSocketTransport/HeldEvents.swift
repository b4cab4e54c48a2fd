import NIOCore
import StreamCore

/// An event whose bytes are its own. Compressed messages stay compressed until they are delivered.
enum HeldEvent {
    case text(ByteBuffer)
    case binary(ByteBuffer)
    case compressed(ByteBuffer, isText: Bool)
    case close(WebSocketCloseCode, reason: ByteBuffer)
    case failed(WebSocketFailure)

    /// - Returns: nil for control frames, which do not wait.
    init?(_ event: WebSocketMachineEvent) {
        switch event {
        case .text(let bytes): self = .text(ByteBuffer(bytes: bytes))
        case .binary(let bytes): self = .binary(ByteBuffer(bytes: bytes))
        case .compressed(let bytes, let isText): self = .compressed(ByteBuffer(bytes: bytes), isText: isText)
        case .close(let code, let reason): self = .close(code, reason: ByteBuffer(bytes: reason))
        case .failed(let failure): self = .failed(failure)
        case .ping, .pong: return nil
        }
    }

    func withEvent(_ body: (WebSocketMachineEvent) -> Void) {
        switch self {
        case .text(let buffer): buffer.withUnsafeReadableBytes { body(.text($0)) }
        case .binary(let buffer): buffer.withUnsafeReadableBytes { body(.binary($0)) }
        case .compressed(let buffer, let isText):
            buffer.withUnsafeReadableBytes { body(.compressed($0, isText: isText)) }
        case .close(let code, let reason): reason.withUnsafeReadableBytes { body(.close(code, reason: $0)) }
        case .failed(let failure): body(.failed(failure))
        }
    }
}

/// What a paused connection received, in order.
struct HeldEvents {
    private var events: [HeldEvent] = []
    /// Events before this index are delivered; they go together.
    private var head = 0

    var isEmpty: Bool { head == events.count }

    /// The end of the conversation, which is the last there can be.
    var ending: HeldEvent? {
        switch events.last {
        case .close, .failed: isEmpty ? nil : events.last
        case .text, .binary, .compressed, nil: nil
        }
    }

    mutating func append(_ event: HeldEvent) { events.append(event) }

    mutating func popFirst() -> HeldEvent? {
        guard head < events.count else { return nil }
        let event = events[head]
        // Its bytes are not needed any more once it is delivered.
        events[head] = .failed(.messageTooBig)
        head += 1
        if head == events.count { removeAll() }
        return event
    }

    mutating func removeAll() {
        events = []
        head = 0
    }
}
