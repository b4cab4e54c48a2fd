// `localizedDescription` is the sentence, also for errors of ChartScene, which does without Foundation.
public import ChartScene
public import Foundation

extension PaintError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ExportError: LocalizedError {
    public var errorDescription: String? { description }
}

extension CandleCSVError: LocalizedError {
    public var errorDescription: String? { description }
}

extension DocumentError: LocalizedError {
    public var errorDescription: String? { String(decoding: sentence, as: UTF8.self) }
}
