/// Why a file of candles could not be read: the file, the place in it, and what is allowed there.
public struct CandleCSVError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file as the caller named it.
    public let file: String
    /// 1 for the first line; `nil` where the file as a whole is the problem.
    public let line: Int?
    /// The field's number in its line, 1 for the first; `nil` where the line as a whole is the problem.
    public let column: Int?
    /// What is wrong and what is allowed.
    public let message: String

    init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    public var description: String {
        var place = file
        if let line { place += ", line \(line)" }
        if let column { place += ", column \(column)" }
        return "\(place): \(message)"
    }
}
