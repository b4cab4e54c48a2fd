/// The first bytes of a frame whose head was cut by the network. Inline: an idle connection pays 24 bytes for it.
struct PartialHead {
    private var storage: (UInt64, UInt64) = (0, 0)
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func removeAll() { count = 0 }

    /// Moves `taken` bytes from the front of `input`. All together never exceed `WebSocketFrameHeader.maximumLength`.
    mutating func take(_ taken: Int, from input: inout UnsafeRawBufferPointer) {
        guard taken > 0, let source = input.baseAddress else { return }
        precondition(count + taken <= WebSocketFrameHeader.maximumLength)
        withUnsafeMutableBytes(of: &storage) { target in
            for index in 0..<taken { target[count + index] = source.load(fromByteOffset: index, as: UInt8.self) }
        }
        count += taken
        input = UnsafeRawBufferPointer(start: source + taken, count: input.count - taken)
    }

    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        withUnsafeBytes(of: storage) { body(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
    }
}
