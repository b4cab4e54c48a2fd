import StreamCore

/// Looks up single values in recorded messages without reading all of them: some have five megabytes.
enum VenuePeek {
    enum Step {
        case key(String)
        case index(Int)
    }

    /// The value at the end of the path: a string without its quotes, anything else as it stands. `nil` where the path
    /// leads nowhere or the text ends before.
    /// - Complexity: O(bytes up to the value).
    static func text(_ bytes: [UInt8], _ path: Step...) -> String? {
        bytes.withUnsafeBytes { buffer in
            var scanner = JSONScanner(buffer)
            for step in path {
                guard (try? enter(&scanner, step)) == true else { return nil }
            }
            guard let kind = try? scanner.kind() else { return nil }
            if kind == .string { return (try? scanner.string())?.string }
            guard let raw = try? scanner.rawValue() else { return nil }
            return String(decoding: raw, as: UTF8.self)
        }
    }

    private static func enter(_ scanner: inout JSONScanner, _ step: Step) throws(JSONError) -> Bool {
        switch step {
        case .key(let wanted):
            guard try scanner.kind() == .object else { return false }
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                if key.string == wanted { return true }
                try scanner.skipValue()
            }
            return false
        case .index(let wanted):
            guard try scanner.kind() == .array else { return false }
            try scanner.beginArray()
            var index = 0
            while try scanner.nextElement() {
                if index == wanted { return true }
                try scanner.skipValue()
                index += 1
            }
            return false
        }
    }

    static func string(_ bytes: [UInt8], _ key: String) -> String? { text(bytes, .key(key)) }
}
