import StreamCore

/// Hides in a message that was sent what would let a reader of the recording in: recordings are passed on. In JSON the
/// values of keys that usually hold secrets (`token`, `key`, `signature`, ...), at any depth, and the arguments of
/// messages that log in. Whatever is not JSON stays as it is.
enum RecordedSecrets {
    static let replacement = "\"***\""

    /// Lower case, without what words are joined with.
    private static let names: Set<String> = [
        "token", "accesstoken", "authtoken", "sessiontoken", "idtoken", "jwt", "bearer", "authorization", "credentials",
        "secret", "clientsecret", "password", "passwd", "passphrase", "key", "apikey", "accesskey", "secretkey",
        "apisecret",
        "listenkey", "signature", "sign", "sig",
    ]
    private static let kinds: Set<String> = ["op", "action", "event", "method", "type", "command"]
    private static let logins: Set<String> = ["auth", "login", "logon", "authenticate", "authorize"]
    private static let arguments: Set<String> = ["args", "params", "arguments", "data"]

    static func hidden(in message: [UInt8]) -> [UInt8] {
        let ranges = message.withUnsafeBytes { bytes -> [Range<Int>] in
            do throws(JSONError) {
                var scanner = JSONScanner(bytes)
                let isLogin = try isLogin(&scanner)
                scanner = JSONScanner(bytes)
                var ranges: [Range<Int>] = []
                try collect(&scanner, &ranges, isLogin: isLogin)
                try scanner.end()
                return ranges
            } catch { return [] }
        }
        var safe: [UInt8] = []
        var at = 0
        for range in ranges {
            safe += message[at..<range.lowerBound]
            safe += replacement.utf8
            at = range.upperBound
        }
        return safe + message[at...]
    }

    private static func isLogin(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
        guard try scanner.kind() == .object else { return false }
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
            guard kinds.contains(normal(key)), try scanner.kind() == .string else {
                try scanner.skipValue()
                continue
            }
            if logins.contains(normal(try scanner.string())) { return true }
        }
        return false
    }

    private static func collect(
        _ scanner: inout JSONScanner, _ ranges: inout [Range<Int>], isLogin: Bool
    ) throws(JSONError) {
        switch try scanner.kind() {
        case .object:
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                let name = normal(key)
                guard names.contains(name) || isLogin && arguments.contains(name) else {
                    try collect(&scanner, &ranges, isLogin: isLogin)
                    continue
                }
                // The kind stands where the value begins.
                _ = try scanner.kind()
                let start = scanner.offset
                try scanner.skipValue()
                ranges.append(start..<scanner.offset)
            }
        case .array:
            try scanner.beginArray()
            while try scanner.nextElement() { try collect(&scanner, &ranges, isLogin: isLogin) }
        default: try scanner.skipValue()
        }
    }

    private static func normal(_ text: JSONText) -> String {
        text.string.lowercased().filter { $0 != "_" && $0 != "-" }
    }
}
