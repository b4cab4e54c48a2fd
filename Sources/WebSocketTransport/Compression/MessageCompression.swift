import NIOCore
import StreamCore

/// The compression of one connection: a class, so that connections without it pay one word. Each direction's zlib state
/// is made with its first compressed message.
final class MessageCompression {
    let role: WebSocketRole
    let configuration: WebSocketCompression
    let agreement: DeflateAgreement

    private var deflater: Deflater?
    private var inflater: Inflater?
    private var inflated = ByteBuffer()

    /// How much room for inflated messages an idle connection keeps.
    private static let keptCapacity = 16 << 10

    init(role: WebSocketRole, configuration: WebSocketCompression, agreement: DeflateAgreement) {
        self.role = role
        self.configuration = configuration
        self.agreement = agreement
    }

    /// Appends the compressed payload to `output`.
    /// - Returns: false where there is no memory for it: the message can go out as it is.
    func compress(_ payload: UnsafeRawBufferPointer, into output: inout ByteBuffer) -> Bool {
        if deflater == nil {
            deflater = Deflater(
                level: configuration.level, windowBits: min(configuration.windowBits, agreement.windowBits(of: role)),
                memoryLevel: configuration.memoryLevel, resetsAfterMessage: agreement.noContextTakeover(of: role))
        }
        guard deflater != nil else { return false }
        deflater?.compress(payload, into: &output)
        return true
    }

    /// Hands the inflated payload to `body`, for the time of the call.
    /// - Returns: what was wrong; `body` was not called then.
    func inflate(
        _ payload: UnsafeRawBufferPointer, limit: Int, _ body: (UnsafeRawBufferPointer) -> WebSocketFailure?
    ) -> WebSocketFailure? {
        if inflater == nil {
            let peer: WebSocketRole = role == .server ? .client : .server
            inflater = Inflater(
                windowBits: agreement.windowBits(of: peer), resetsAfterMessage: agreement.noContextTakeover(of: peer))
        }
        guard inflater != nil else { return .inflatedTooBig }
        // Removed meanwhile, so that `body` may do anything with the connection.
        var output = ByteBuffer()
        swap(&output, &inflated)
        if let failure = inflater?.inflate(payload, limit: limit, into: &output) { return failure }
        let failure = output.withUnsafeReadableBytes(body)
        if output.capacity <= Self.keptCapacity {
            output.clear()
            inflated = output
        }
        return failure
    }
}
