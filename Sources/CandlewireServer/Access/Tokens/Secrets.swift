import Foundation

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

/// A file of secrets, one a line.
enum SecretFile {
    /// - Returns: the lines with their numbers, without those that are empty or begin with `#`.
    /// - Throws: `ServerError` that names the file.
    static func lines(_ path: String, what: String) throws(ServerError) -> [(number: Int, text: String)] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ServerError(.access, "The \(what) file \(path) cannot be read.")
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
            .map { (number: $0.offset + 1, text: $0.element.trimmingCharacters(in: .whitespacesAndNewlines)) }
            .filter { !$0.text.isEmpty && !$0.text.hasPrefix("#") }
    }
}
