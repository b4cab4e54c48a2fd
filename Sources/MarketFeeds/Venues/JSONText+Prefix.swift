import StreamCore

extension JSONText {
    /// Whether the text, as it stands, begins with this; escapes are not resolved.
    func starts(_ prefix: StaticString) -> Bool {
        guard raw.count >= prefix.utf8CodeUnitCount else { return false }
        for at in 0..<prefix.utf8CodeUnitCount where raw[at] != prefix.utf8Start[at] { return false }
        return true
    }
}
