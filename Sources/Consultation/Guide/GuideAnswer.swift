/// What the guide says, and what it makes.
public struct GuideAnswer: Sendable, Hashable {
    public var text: String
    public var calls: [ToolCall]

    public init(_ text: String, calls: [ToolCall] = []) {
        self.text = text
        self.calls = calls
    }
}
