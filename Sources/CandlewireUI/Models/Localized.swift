internal import Foundation

/// A text of the user interface, from `Localizable.xcstrings`, whose keys are the English texts.
///
/// - Parameter arguments: one for each `%@` of the text, in order; a translation that has another order writes `%1$@`.
func localized(_ key: String, _ arguments: String...) -> String {
    fill(Bundle.module.localizedString(forKey: key, value: key, table: nil), with: arguments)
}

/// Puts the arguments in the places `%@` or `%1$@`. A place without an argument stays as it is.
func fill(_ text: String, with arguments: [String]) -> String {
    var filled = ""
    var rest = text[...]
    var next = 0
    while let percent = rest.firstIndex(of: "%") {
        filled += rest[..<percent]
        rest = rest[percent...]
        if rest.hasPrefix("%@"), next < arguments.count {
            filled += arguments[next]
            next += 1
            rest.removeFirst(2)
        } else if let dollar = rest.firstIndex(of: "$"), rest[dollar...].hasPrefix("$@"),
            let number = Int(rest[rest.index(after: percent)..<dollar]), arguments.indices.contains(number - 1)
        {
            filled += arguments[number - 1]
            rest = rest[rest.index(dollar, offsetBy: 2)...]
        } else {
            filled.append(rest.removeFirst())
        }
    }
    return filled + rest
}
