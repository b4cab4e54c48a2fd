import FinanceChartsKit

/// What `candlewire studies --list` prints.
enum StudyListing {
    /// "sma, ema, …"
    static let names = StudyKind.allCases.map(\.identifier.description).joined(separator: ", ")

    static var text: String {
        StudyKind.allCases.map(text(of:)).joined(separator: "\n")
    }

    private static func text(of kind: StudyKind) -> String {
        let place = kind.placement == .price ? "over the price" : "in a pane"
        var lines = ["\(kind.identifier)  \(kind.title), \(place)"]
        if !kind.parameters.isEmpty {
            lines.append("    parameters  " + kind.parameters.map(text(of:)).joined(separator: "\n                "))
        }
        if let source = kind.defaultSource { lines.append("    source      \(source.identifier)") }
        let settings = StudySettings(kind)
        let outputs = kind.outputs.indices.map { index in
            let shift = settings.shift(ofOutput: index)
            let side = shift > 0 ? "right" : "left"
            let drawn = shift == 0 ? "" : " (drawn \(shift.magnitude) further \(side), by the last parameter)"
            return "\(kind.outputs[index].name)\(drawn)"
        }
        lines.append("    outputs     " + outputs.joined(separator: "\n                "))
        return lines.joined(separator: "\n") + "\n"
    }

    /// "Period: 14, a whole number from 1 to 1000"
    static func text(of parameter: StudyParameter) -> String {
        "\(parameter.name): \(number(parameter.standard)), a \(parameter.isWhole ? "whole " : "")number from "
            + "\(number(parameter.range.lowerBound)) to \(number(parameter.range.upperBound))"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}
