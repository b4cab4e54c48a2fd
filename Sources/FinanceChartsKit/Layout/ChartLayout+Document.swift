import ChartScene
import Foundation
import MarketModel

/// A layout as JSON, version 1.
extension ChartLayout {
    /// The document's bytes: the same for equal layouts.
    public func document() throws(ExportError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(LayoutDocument(self)))
        } catch {
            throw ExportError("layout", "it cannot be written: \(error).")
        }
    }

    /// Reads a document.
    /// - Throws: `ExportError` with the place of what is wrong and what it may be.
    public init(document: some Sequence<UInt8>) throws(ExportError) {
        do {
            let data = Data(document)
            let fields = try JSONDecoder().decode(FieldNames.self, from: data).names
            let known = LayoutDocument.CodingKeys.allCases.map(\.rawValue)
            if let other = fields.first(where: { !known.contains($0) }) {
                throw ExportError(
                    String(other.prefix(40)), "there is no such field; allowed are \(known.joined(separator: ", ")).")
            }
            self = try JSONDecoder().decode(LayoutDocument.self, from: data).layout()
        } catch let error as ExportError {
            throw error
        } catch let error as DecodingError {
            throw ExportError("layout", Self.sentence(error))
        } catch {
            throw ExportError("layout", "\(error)")
        }
    }

    private static func sentence(_ error: DecodingError) -> String {
        func at(_ context: DecodingError.Context, _ more: [any CodingKey] = []) -> String {
            let path = (context.codingPath + more).reduce("") { path, key in
                key.intValue.map { "\(path)[\($0)]" } ?? (path.isEmpty ? "" : path + ".") + key.stringValue
            }
            return path.isEmpty ? "" : path + ": "
        }
        return switch error {
        case .keyNotFound(let key, let context): at(context, [key]) + "it is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            at(context) + (context.codingPath.isEmpty ? "this is not a JSON object." : context.debugDescription)
        @unknown default: "\(error)"
        }
    }
}

/// The fields that a document has, whatever they are.
private struct FieldNames: Decodable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let names: [String]

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue).sorted()
    }
}

/// The fields of version 1.
private struct LayoutDocument: Codable {
    struct Pane: Codable {
        var share: Double?
        var scale: String?
        var inverted: Bool?
        var range: [Double]?
        var volume: Bool?
    }

    struct Study: Codable {
        var study: String
        var pane: Int?
        var colours: [Colour?]?
        var visible: Bool?
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case format, version, series, volume, timezone, baseline, theme, panes, studies, drawings
        case fontScale = "font_scale"
        case timeScale = "time_scale"
    }

    var format: String
    var version: Int
    var series: String?
    var volume: String?
    var timezone: String?
    var fontScale: Double?
    var timeScale: String?
    var baseline: Double?
    var theme: Theme?
    var panes: [Pane]?
    var studies: [Study]?
    /// The text of a document of drawings, which has a version of its own.
    var drawings: String?

    static let name = "candlewire-layout"

    init(_ layout: ChartLayout) {
        format = Self.name
        version = 1
        series = ChartPicture.name(layout.kind, in: ChartPicture.kinds)
        volume = ChartPicture.name(layout.volume, in: ChartPicture.volumes)
        timezone = "\(layout.timeZone.identifier)"
        fontScale = layout.fontScale
        timeScale = ChartPicture.name(layout.timeScale, in: ChartPicture.timeScales)
        baseline = layout.baseline
        theme = layout.theme
        panes = layout.panes.map { pane in
            Pane(
                share: pane.share, scale: ChartPicture.name(pane.scale.kind, in: ChartPicture.scales),
                inverted: pane.scale.isInverted, range: pane.scale.range.map { [$0.lowerBound, $0.upperBound] },
                volume: pane.hasVolume)
        }
        studies = layout.studies.map {
            Study(study: StudyNotation.text($0.settings), pane: $0.pane, colours: $0.colours, visible: $0.isVisible)
        }
        drawings = String(decoding: DrawingDocument.write(layout.drawings), as: UTF8.self)
    }

    func layout() throws(ExportError) -> ChartLayout {
        guard format == Self.name else {
            throw ExportError("format", "this is no document of a layout; its format would be \(Self.name).")
        }
        guard version == 1 else { throw ExportError("version", "only version 1 can be read here.") }
        var layout = ChartLayout()
        // What the fields may be is what a picture's fields may be.
        var picture = ChartPicture()
        if let series { try picture.set("series", series) }
        if let volume { try picture.set("volume", volume) }
        if let timezone { try picture.set("timezone", timezone) }
        if let fontScale { try picture.set("font_scale", "\(fontScale)") }
        if let timeScale { try picture.set("time_scale", timeScale) }
        if let baseline { try picture.set("baseline", "\(baseline)") }
        (layout.kind, layout.volume, layout.timeZone) = (picture.kind, picture.volume, picture.zone)
        layout.timeScale = picture.timeScale
        (layout.fontScale, layout.baseline) = (picture.fontScale, picture.baseline)
        if let theme { layout.theme = theme }
        for pane in panes ?? [] {
            var one = ChartPicture()
            if let scale = pane.scale { try one.set("price_scale", scale) }
            if let range = pane.range {
                try one.set("price_range", range.map { "\($0)" }.joined(separator: ":"))
            }
            one.scale.isInverted = pane.inverted ?? false
            let share = pane.share ?? 1
            guard (0.01...100).contains(share) else {
                throw ExportError("share", "“\(share)” is not valid; use a number from 0.01 to 100.")
            }
            layout.panes.append(.init(share: share, scale: one.scale, hasVolume: pane.volume ?? false))
        }
        // The chart begins with one for the price.
        if panes?.isEmpty == false { layout.panes.removeFirst() }
        for study in studies ?? [] {
            let settings = try StudyNotation.parse(study.study)
            let pane = study.pane ?? (settings.kind.placement == .price ? 0 : layout.panes.count)
            guard (0...ChartView.maxPanes).contains(pane) else {
                throw ExportError("pane", "“\(pane)” is not valid; use 0 to \(ChartView.maxPanes).")
            }
            while layout.panes.count <= pane { layout.panes.append(.init(share: 3.0 / 7)) }
            layout.studies.append(
                .init(settings, pane: pane, colours: study.colours ?? [], isVisible: study.visible ?? true))
        }
        if let drawings {
            do {
                layout.drawings = try DrawingDocument.read(drawings.utf8)
            } catch {
                throw ExportError("drawings", String(decoding: error.sentence, as: UTF8.self))
            }
        }
        return layout
    }
}
