public import ChartScene
import Foundation

/// A theme as a document: `{"base":"light","up":"#14A05B","background":"#FFFFFF","palette":["#0066CC"]}`.
///
/// Each colour is `#RRGGBB` or `#RRGGBBAA` under its property's name. What a document leaves out is that of its base:
/// `dark` (the usual one), `light`, `deuteranopia` or `high-contrast`.
extension Theme: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case base, background, grid, axisLine, axisText, strongText, up, down, upVolume, downVolume, upText, downText
        case upLabel, downLabel, crosshairLine, crosshairLabel, labelText, line, areaFill, palette
    }

    /// The presets by the names that documents and commands give them.
    public static let named: [(name: String, theme: Theme)] = [
        ("dark", .dark), ("light", .light), ("deuteranopia", .deuteranopia), ("high-contrast", .highContrast),
    ]

    /// Of single colours, in the order of `colours`.
    private static var colourKeys: some Collection<CodingKeys> { CodingKeys.allCases.dropFirst().dropLast() }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let base = try values.decodeIfPresent(String.self, forKey: .base) ?? "dark"
        guard let preset = Theme.named.first(where: { $0.name == base }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .base, in: values,
                debugDescription: "base is “\(base)”; use one of \(Theme.named.map(\.name).joined(separator: ", ")).")
        }
        var all = preset.theme.colours
        for (index, key) in Theme.colourKeys.enumerated() {
            if let colour = try values.decodeIfPresent(Colour.self, forKey: key) { all[index] = colour }
        }
        self = Theme(colours: all) ?? preset.theme
        if let colours = try values.decodeIfPresent([Colour].self, forKey: .palette) {
            palette = Array(colours.prefix(32))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        for (key, colour) in zip(Theme.colourKeys, colours) { try values.encode(colour, forKey: key) }
        try values.encode(palette, forKey: .palette)
    }
}

/// `#RRGGBB`, and `#RRGGBBAA` where it is not opaque.
extension Colour: Codable {
    /// A colour from its text, with or without the number sign; `nil` for anything else.
    public init?(text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6 || digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: 16)
        else { return nil }
        self = digits.utf8.count == 6 ? Colour(rgb: number) : Colour(rgba: number)
    }

    /// `#14A05B`
    public var text: String {
        let isOpaque = rgba & 0xFF == 0xFF
        let digits = String(isOpaque ? rgba >> 8 : rgba, radix: 16, uppercase: true)
        return "#" + String(repeating: "0", count: (isOpaque ? 6 : 8) - digits.count) + digits
    }

    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard let colour = Colour(text: text) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "“\(text.prefix(20))” is not a valid colour; use #RRGGBB or #RRGGBBAA.")
        }
        self = colour
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}

extension Theme {
    /// Reads a theme document, UTF-8 of `{"base":"light","up":"#14A05B"}`.
    /// - Throws: `ExportError` that names the colour and says what it may be.
    public init(document: some Sequence<UInt8>) throws(ExportError) {
        do {
            self = try JSONDecoder().decode(Theme.self, from: Data(document))
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            let name = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw ExportError("theme", "\(name): \(context.debugDescription)")
        } catch {
            throw ExportError("theme", "it is an object of colours, {\"up\":\"#2EBD6B\"}.")
        }
    }
}
