/// What is wrong with a JSON text, and at which byte.
public struct JSONError: Error, Sendable, Equatable {
    public enum Problem: String, Sendable {
        case endOfInput = "the text ends too early"
        case unexpectedByte = "an unexpected character"
        case invalidNumber = "a malformed number"
        case invalidEscape = "a malformed escape sequence"
        case controlCharacter = "a control character inside a string"
        case tooDeep = "nested too deeply"
        case trailingBytes = "characters after the end of the value"
        /// Well-formed, but of another type than the field has.
        case wrongType = "a value of another type"

        /// The problem in words, for a message to a person.
        public var sentence: String { rawValue }
    }

    public var problem: Problem
    /// Byte offset from the start of the text.
    public var offset: Int

    public init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}
