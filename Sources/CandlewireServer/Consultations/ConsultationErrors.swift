import Consultation
import HTTPTypes
import StreamCore

extension APIError {
    static func unknownConsultation(_ id: String) -> APIError {
        APIError(
            status: .notFound, code: "unknown_consultation",
            message: "There is no consultation \"\(id.prefix(80))\"; see /consultations.", field: "id")
    }

    static let foreignConsultation = APIError(
        status: .forbidden, code: "forbidden", message: "This consultation is another user's.")

    /// Conversations cannot be written or read.
    static let consultationsUnavailable = APIError(
        status: .serviceUnavailable, code: "consultations_unavailable",
        message: "Conversations cannot be read or written now; try again later.")

    /// A message that was refused, as REST reports it.
    init(_ refusal: MessageRefusal) {
        self.init(
            status: refusal.code == "rate_limited" ? .tooManyRequests : .unprocessableContent, code: refusal.code,
            message: refusal.text, field: refusal.field == "content" ? "initial_message" : refusal.field,
            retryAfter: refusal.more["retry_after"]?.number)
    }
}
