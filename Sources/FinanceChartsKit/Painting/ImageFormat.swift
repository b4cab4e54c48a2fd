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
public struct PaintError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
