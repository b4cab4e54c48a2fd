import Consultation
import Foundation
import Testing

@testable import ConversationCore

@Suite("Errors as sentences")
struct LocalizedErrorTests {
    static let errors: [(any Error, String)] = [
        (ToolCallRefusal("There is no such tool."), "There is no such tool."),
        (ConsultationSetupError.invalidURL, "Invalid URL"),
        (ConsultationSendError.empty, "The message has no text."),
        (MessageRefusal("empty_message", "Write something."), "Write something."),
        (EnvelopeError("It has no type.", field: "type"), "It has no type."),
        (
            TranscriptError(
                ConversationEntry(number: 3, time: 0, event: .opened(user: "u", kind: "nutrition")), "it is open"),
            "The conversation's log does not fit together at entry 3 (opened): it is open."
        ),
    ]

    @Test("localizedDescription is the error's sentence", arguments: errors.indices)
    func sentence(index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }
}
