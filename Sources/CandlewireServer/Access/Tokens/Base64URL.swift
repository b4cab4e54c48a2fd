import Foundation

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
