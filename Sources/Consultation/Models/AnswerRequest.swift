/// What a model is asked.
public struct AnswerRequest: Sendable, Hashable {
    public var conversation: String
    /// The answer's id, which `generated` names again.
    public var answer: String
    public var user: String
    /// The consultation type.
    public var kind: String
    /// The past and the question, oldest first; the last one is the user's.
    public var messages: [ModelMessage]
    /// What the user sees beside the conversation.
    public var screen: ScreenContext?

    public init(
        conversation: String, answer: String, user: String, kind: String, messages: [ModelMessage],
        screen: ScreenContext? = nil
    ) {
        self.conversation = conversation
        self.answer = answer
        self.user = user
        self.kind = kind
        self.messages = messages
        self.screen = screen
    }
}

/// A message as models know it.
public struct ModelMessage: Sendable, Hashable {
    public var role: Role
    public var text: String

    public init(_ role: Role, _ text: String) {
        self.role = role
        self.text = text
    }
}
