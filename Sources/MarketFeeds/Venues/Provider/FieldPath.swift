/// Where a value stands in a message: `data.p`, or `1.0` where arrays are counted from 0.
///
/// In a rule with rows the path begins in the row, or, where it begins with `$.`, in the whole message.
struct FieldPath: Sendable, Hashable, CustomStringConvertible {
    static let longest = 8

    var steps: [String]
    /// Written with `$.`.
    var isFromMessage = false

    /// - Returns: `nil` where the text is no path: empty, with an empty step, or deeper than eight.
    init?(_ text: String) {
        isFromMessage = text.hasPrefix("$.")
        steps = text.dropFirst(isFromMessage ? 2 : 0).split(separator: ".", omittingEmptySubsequences: false)
            .map(String.init)
        guard steps.count <= Self.longest, steps.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// Whether it begins at a position of an array.
    var isPositional: Bool { steps.first.flatMap { Int($0) } != nil }

    var description: String { (isFromMessage ? "$." : "") + steps.joined(separator: ".") }
}
