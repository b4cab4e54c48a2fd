/// A secret that candidates are compared with.
struct SecretBytes: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The time depends on how long the secret is, not on where the candidate differs from it.
    func matches(_ candidate: [UInt8]) -> Bool {
        var difference: UInt8 = bytes.count == candidate.count ? 0 : 1
        for index in bytes.indices {
            difference |= bytes[index] ^ (index < candidate.count ? candidate[index] : 0)
        }
        return difference == 0
    }
}
