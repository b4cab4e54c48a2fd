// `localizedDescription` is the sentence, also for errors of ConversationCore, which does without Foundation.
public import ConversationCore
public import Foundation

extension ToolCallRefusal: LocalizedError {
    public var errorDescription: String? { reason }
}

extension ConsultationSetupError: LocalizedError {
    public var errorDescription: String? { description }
}

extension TranscriptError: LocalizedError {
    public var errorDescription: String? { description }
}

extension MessageRefusal: LocalizedError {
    public var errorDescription: String? { text }
}

extension ConsultationSendError: LocalizedError {
    public var errorDescription: String? { description }
}

extension EnvelopeError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ConsultationTypesError: LocalizedError {
    public var errorDescription: String? { description }
}
