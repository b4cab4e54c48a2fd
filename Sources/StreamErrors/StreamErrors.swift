// `localizedDescription` is the sentence of these errors. Their modules compile in Embedded Swift, which has no Foundation.
#if canImport(Foundation)
    public import ConversationCore
    public import Foundation
    public import StreamCore

    extension WireError: LocalizedError {
        public var errorDescription: String? { message }
    }

    extension JSONError: LocalizedError {
        public var errorDescription: String? { "\(problem.sentence) at byte \(offset)" }
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
#endif
