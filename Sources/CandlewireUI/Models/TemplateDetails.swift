public import Consultation
internal import StreamCore

/// A template as its details show it: everything that it consists of, as lines with an indentation.
public struct TemplateDetails: Sendable, Hashable {
    public struct Line: Sendable, Hashable, Identifiable {
        public let id: Int
        /// How deep it stands in lists and groups, 0 to ``TemplateDetails/deepest``.
        public let depth: Int
        /// Empty: an item of a list.
        public let name: String
        /// Empty: a group, whose lines follow.
        public let value: String
    }

    public static let deepest = 4
    /// Lines of one template: it comes from a model.
    public static let maxLines = 500

    public let title: String
    public let kind: String
    public let summary: String
    public let symbolName: String
    public let lines: [Line]

    public init(_ template: Template) {
        title = template.name
        kind = template.kind.words
        summary = template.description
        symbolName = template.kind.iconName
        var lines: [Line] = []
        Self.add(.object(template.fields), depth: 0, to: &lines)
        self.lines = lines
    }

    private static func add(_ value: JSONValue, depth: Int, to lines: inout [Line]) {
        let members: [(String, JSONValue)] =
            value.members?.sorted { $0.key < $1.key }.map { (words($0.key), $0.value) }
            ?? value.elements?.map { ("", $0) } ?? []
        for (name, member) in members where lines.count < maxLines {
            let isGroup = depth < deepest && (member.members ?? [:]).count + (member.elements ?? []).count > 0
            let text = isGroup ? "" : text(member)
            if !(isGroup && name.isEmpty) {
                lines.append(Line(id: lines.count, depth: depth, name: name, value: text))
            }
            if isGroup { add(member, depth: depth + 1, to: &lines) }
        }
    }

    /// `prep_time` is `Prep time`.
    private static func words(_ key: String) -> String {
        let words = key.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "–"
        case .bool(let bool): bool ? localized("Yes") : localized("No")
        case .string(let text): text
        case .number(let number): value.integer.map(String.init) ?? "\(number)"
        case .array(let elements): elements.isEmpty ? "–" : "…"
        case .object(let members): members.isEmpty ? "–" : "…"
        }
    }
}

extension TemplateKind {
    public var words: String {
        switch self {
        case .meal: localized("Meal")
        case .workout: localized("Workout")
        case .wellness: localized("Wellness")
        case .chartLayout: localized("Chart layout")
        case .alert: localized("Alert")
        case .watchlist: localized("Watchlist")
        case .orderProposal: localized("Order proposal")
        case .unknown(let name): name.replacing("_", with: " ")
        }
    }
}
