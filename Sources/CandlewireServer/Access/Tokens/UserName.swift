import Consultation

/// What a user may be called: 1 to 128 bytes without control characters, and not as those are called who name nobody.
enum UserName {
    static let longest = 128
    static let rule = "1 to \(longest) bytes without control characters"

    static func isValid(_ name: String) -> Bool {
        1...longest ~= name.utf8.count && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// Whether it is the name of those who show a stream's token, or nothing: somebody who were called so, too, would
    /// have their consultations.
    static func isReserved(_ name: String) -> Bool { UserKey(name) == UserKey(ConsultationUser.local.id) }
}
