public import Foundation

/// What a chart can be saved as.
public enum ImageFormat: String, Sendable, CaseIterable {
    case png, svg, pdf

    /// The format that a path's extension names, in any case.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: "."), dot > (path.lastIndex(of: "/") ?? path.startIndex) else { return nil }
        self.init(rawValue: path[path.index(after: dot)...].lowercased())
    }
}

/// Why a picture could not be made.
public struct PaintError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    public let description: String
    package let reason: Reason
    public var errorDescription: String? { description }

    package enum Reason: Sendable { case failed, tooManyBytes, stopped }

    init(_ description: String, _ reason: Reason = .failed) {
        self.description = description
        self.reason = reason
    }
}

/// How much a file may cost that is made for others.
package struct PaintBudget: Sendable {
    /// Bytes of the file.
    package var maxBytes: Int
    /// Whether painting should stop; looked at between commands and while the file is written.
    package var isOver: @Sendable () -> Bool

    package init(maxBytes: Int = .max, isOver: @escaping @Sendable () -> Bool = { false }) {
        self.maxBytes = maxBytes
        self.isOver = isOver
    }
}
