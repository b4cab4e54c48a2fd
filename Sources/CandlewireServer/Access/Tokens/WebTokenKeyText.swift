import Foundation

/// What the file of `--jwt-key` holds, by its form.
///
/// Anyone with a shared secret can make tokens of every user, so only what looks like nothing else is one: a public key that
/// was saved in another form, or what a login service answered instead of its key, others know, too.
enum WebTokenKeyText {
    case privateKey
    /// From `-----BEGIN` on.
    case pem(String)
    case json(String)
    case secret(String)
    /// What it is instead, as the rest of a sentence.
    case unusable(String)

    init(_ data: Data) {
        guard var text = String(validating: data, as: UTF8.self) else {
            self = .unusable("is not text")
            return
        }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.contains("PRIVATE KEY-----") {
            self = .privateKey
        } else if let start = text.range(of: "-----BEGIN") {
            // What stands before it, tools write there for people (RFC 7468 section 2).
            self = .pem(String(text[start.lowerBound...]))
        } else if let first = text.first, "{[\"".contains(first) {
            self = .json(text)
        } else if let what = Self.other(text) {
            self = .unusable(what)
        } else {
            self = .secret(text)
        }
    }

    private static func other(_ text: String) -> String? {
        if text.hasPrefix("<") { return "is a page or a document (it begins with <)" }
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            return "has more than one line, or control characters"
        }
        if text.contains("://") { return "is an address and not the key itself" }
        if text.hasPrefix("ssh-") || text.hasPrefix("ecdsa-sha2-") { return "is a key for SSH" }
        if isKey(text) { return "is a key without its lines -----BEGIN ... and -----END ..." }
        if text.contains(where: \.isWhitespace) { return "is a sentence (it has spaces)" }
        return nil
    }

    /// Whether a text is a key's bytes, in hexadecimal or in Base64, also in the form for addresses.
    private static func isKey(_ text: String) -> Bool {
        let text = text.filter { !$0.isWhitespace }
        let digits = text.compactMap(\.hexDigitValue)
        if digits.count == text.count, digits.count % 2 == 0 {
            let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
            if isSequence(bytes) { return true }
        }
        return Base64URL.lenientBytes(text).map(isSequence) ?? false
    }

    /// Whether bytes are one ASN.1 sequence and nothing else: what stands between the lines of a PEM file.
    private static func isSequence(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30 else { return false }
        let more = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7F)
        guard more <= 3, bytes.count > 2 + more else { return false }
        let length = more == 0 ? Int(bytes[1]) : bytes[2..<2 + more].reduce(0) { $0 << 8 | Int($1) }
        return bytes.count == 2 + more + length
    }
}
