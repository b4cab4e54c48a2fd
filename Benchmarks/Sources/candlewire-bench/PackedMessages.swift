/// Messages one after another in one piece of memory, as a socket's buffer has them: an array for each would have its
/// references counted while the clock runs.
struct PackedMessages {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(_ messages: [[UInt8]]) {
        bytes.reserveCapacity(messages.reduce(0) { $0 + $1.count })
        for message in messages {
            bytes += message
            ends.append(bytes.count)
        }
    }

    func forEach(_ body: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            for end in ends {
                body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
    }
}
