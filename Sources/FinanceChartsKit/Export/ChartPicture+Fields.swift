import ChartScene
import MarketModel

/// The settings by name and text, as they come from a command line or a URL.
extension ChartPicture {
    /// Every field that `set` accepts.
    public static let fields = [
        "width", "height", "pixel_ratio", "bars", "series", "theme", "price_scale", "price_range", "inverted",
        "baseline",
        "volume", "timezone", "time_scale", "font_scale", "studies",
    ]

    /// The limits of the fields that are numbers.
    public static let sides = 100.0...8000.0
    public static let pixelRatios = 0.5...8.0
    public static let barCounts = 0.0...1_000_000.0
    public static let fontScales = 0.5...3.0
    /// A price: what a chart can distinguish.
    public static let prices = -1e15...1e15

    /// Sets a field.
    /// - Throws: `ExportError` that names the field and says what it may be.
    public mutating func set(_ field: String, _ text: String) throws(ExportError) {
        switch field {
        case "width": width = try Self.number(field, text, Self.sides, isWhole: true)
        case "height": height = try Self.number(field, text, Self.sides, isWhole: true)
        case "pixel_ratio": pixelRatio = try Self.number(field, text, Self.pixelRatios)
        case "bars": bars = Int(try Self.number(field, text, Self.barCounts, isWhole: true))
        case "series": kind = try Self.choice(field, text, Self.kinds)
        case "theme": theme = try Self.choice(field, text, Self.themes)
        case "price_scale": scale.kind = try Self.choice(field, text, Self.scales)
        case "price_range": scale.range = try Self.range(field, text)
        case "baseline": baseline = try Self.number(field, text, Self.prices)
        case "font_scale": fontScale = try Self.number(field, text, Self.fontScales)
        case "inverted": scale.isInverted = try Self.choice(field, text, [("true", true), ("false", false)])
        case "volume": volume = try Self.choice(field, text, Self.volumes)
        case "time_scale": timeScale = try Self.choice(field, text, Self.timeScales)
        case "timezone":
            guard let zone = TimeZoneRules(text) else {
                throw ExportError(
                    field, "“\(text.prefix(40))” is no time zone known here; for example \(Self.someZones).")
            }
            self.zone = zone
        case "studies":
            studies = []
            for part in text.split(separator: ",") { studies.append(try StudyNotation.parse(String(part))) }
            guard studies.count <= Self.maxStudies else {
                throw ExportError(field, "there are \(studies.count) studies; the maximum is \(Self.maxStudies).")
            }
        default:
            throw ExportError(
                String(field.prefix(40)),
                "“\(field.prefix(40))” is not a valid setting; use one of \(Self.fields.joined(separator: ", ")).")
        }
    }

    /// How many studies fit a picture.
    public static let maxStudies = 12

    /// What a field with a choice may be, for a help text.
    public static func choices(_ field: String) -> [String] {
        switch field {
        case "series": kinds.map(\.0)
        case "theme": themes.map(\.0)
        case "price_scale": scales.map(\.0)
        case "volume": volumes.map(\.0)
        case "time_scale": timeScales.map(\.0)
        default: []
        }
    }

    static let kinds: [(String, SeriesKind)] = [
        ("candles", .candles), ("hollow", .hollowCandles), ("bars", .bars), ("line", .line), ("area", .area),
        ("baseline", .baseline), ("heikin-ashi", .heikinAshi), ("histogram", .histogram),
    ]
    private static let themes = Theme.named.map { ($0.name, $0.theme) }
    static let scales: [(String, PriceScaleKind)] = [
        ("linear", .linear), ("log", .logarithmic), ("percent", .percent), ("indexed", .indexed),
    ]
    static let volumes: [(String, VolumePlacement)] = [("off", .off), ("price", .price), ("pane", .pane)]

    static let timeScales: [(String, TimeScaleKind)] = [("bars", .bars), ("time", .time)]

    /// How a field calls a choice.
    static func name<T: Equatable>(_ choice: T, in choices: [(String, T)]) -> String? {
        choices.first { $0.1 == choice }?.0
    }

    private static let someZones = "UTC, America/New_York, Europe/London, Asia/Tokyo"

    private static func choice<T>(_ field: String, _ text: String, _ choices: [(String, T)]) throws(ExportError) -> T {
        if let choice = choices.first(where: { $0.0 == text.lowercased() }) { return choice.1 }
        throw ExportError(
            field, "“\(text.prefix(40))” is not valid; use one of \(choices.map(\.0).joined(separator: ", ")).")
    }

    /// `60000:70000`, or `auto`.
    private static func range(_ field: String, _ text: String) throws(ExportError) -> ClosedRange<Double>? {
        if text.lowercased() == "auto" { return nil }
        let ends = text.split(separator: ":", omittingEmptySubsequences: false).compactMap { Double($0) }
        guard ends.count == 2, Self.prices.contains(ends[0]), Self.prices.contains(ends[1]), ends[0] < ends[1],
            text.split(separator: ":", omittingEmptySubsequences: false).count == 2
        else {
            throw ExportError(
                field, "“\(text.prefix(40))” is not valid; use auto, or a lower and a higher price as 60000:70000.")
        }
        return ends[0]...ends[1]
    }

    private static func number(
        _ field: String, _ text: String, _ range: ClosedRange<Double>, isWhole: Bool = false
    ) throws(ExportError) -> Double {
        if let number = Double(text), range.contains(number), !isWhole || number == number.rounded() { return number }
        throw ExportError(
            field,
            "“\(text.prefix(40))” is not valid; use a \(isWhole ? "whole " : "")number from "
                + "\(StudyNotation.plain(range.lowerBound)) to \(StudyNotation.plain(range.upperBound)).")
    }
}
