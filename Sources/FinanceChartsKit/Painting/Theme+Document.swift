public import ChartScene
import Foundation

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
