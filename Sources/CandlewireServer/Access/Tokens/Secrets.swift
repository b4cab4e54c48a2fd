import Foundation
import MarketFeeds

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
    /// - Throws: `ServerError` that names the file, where it cannot be read or others may read it.
    static func contents(_ path: String, what: String) throws(ServerError) -> Data {
        do throws(PrivateFile.Refusal) {
            return try PrivateFile.contents(path)
        } catch {
            throw ServerError(.access, "The \(what) file \(path) \(error.words)")
        }
    }

    /// - Returns: the lines with their numbers, without those that are empty or begin with `#`.
    /// - Throws: as `contents`.
    static func lines(_ path: String, what: String) throws(ServerError) -> [(number: Int, text: String)] {
        lines(try contents(path, what: what))
    }

    static func lines(_ data: Data) -> [(number: Int, text: String)] {
        String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
            .map { (number: $0.offset + 1, text: $0.element.trimmingCharacters(in: .whitespacesAndNewlines)) }
            .filter { !$0.text.isEmpty && !$0.text.hasPrefix("#") }
    }
}

/// Base64 as tokens have it: RFC 4648 section 5, without padding.
enum Base64URL {
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// - Returns: `nil` where another character is in it, its length is none, or the last one has bits that mean nothing:
    ///   one text for the same bytes, so that no token has a second form.
    static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        let text = String(decoding: Array(text), as: UTF8.self)
        guard let bytes = lenientBytes(text), Self.text(bytes) == text else { return nil }
        return bytes
    }

    /// The bytes of Base64 in either form.
    static func lenientBytes(_ text: String) -> [UInt8]? {
        let text = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map(Array.init)
    }
}
