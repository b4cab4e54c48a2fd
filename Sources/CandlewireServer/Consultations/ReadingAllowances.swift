import Consultation
import HTTPTypes
import StreamCore
import Synchronization

/// How often each user may read conversations over HTTP. Reading costs the disk and the memory of whole conversations,
/// exporting all of a long one.
final class ReadingAllowances: Sendable {
    enum Reading {
        /// A list, a consultation, or a page of messages.
        case page
        /// All of a conversation.
        case export
    }

    private let allowances: Mutex<[Reading: UserAllowances]>

    /// - Parameter isShared: users may choose any name.
    init(_ options: ConsultationOptions, isShared: Bool) {
        let users = isShared ? Double(max(1, options.usersPerLogin)) : nil
        allowances = Mutex([
            .page: UserAllowances(
                rate: max(0.001, options.readsPerSecond), burst: max(1, options.readBurst), users: users),
            .export: UserAllowances(
                rate: max(0.001, options.exportsPerMinute / 60), burst: max(1, options.exportBurst), users: users),
        ])
    }

    /// - Throws: 429 with the time to wait.
    func use(_ reading: Reading, _ user: String, now: Double) throws(APIError) {
        guard let wait = allowances.withLock({ $0[reading]?.use(user, now: now) ?? nil }) else { return }
        throw APIError(
            .tooManyRequests, "rate_limited",
            "Too many \(reading == .export ? "exports" : "requests"); wait \(max(1, Int(min(wait, 3_600).rounded(.up)))) s.",
            retryAfter: wait)
    }
}

/// What a client may still ask the assistant, for the machines of conversations.
///
/// A login or an address counts and not the conversation's user, who may have any name where users choose it; and on the
/// limiter's own clock, as all other limits do.
struct QuestionAllowances: MessageAllowances {
    let limiter: ClientLimiter
    let client: ClientLimits.Client
    /// The last refusal, as REST reports it.
    private(set) var refused: APIError?

    init(_ limiter: ClientLimiter, _ client: ClientLimits.Client) {
        self.limiter = limiter
        self.client = client
    }

    mutating func refusal(of _: String, now _: Double) -> MessageRefusal? {
        do throws(APIError) {
            try limiter.spend(.questions, 1, of: client)
            return nil
        } catch {
            refused = error
            let wait = ((error.retryAfter ?? 0) * 10).rounded(.up) / 10
            var more: [String: JSONValue] = ["retry_after": .number(wait)]
            if let balance = error.balance {
                // What an answer over HTTP has in its headers.
                more["ratelimit_limit"] = .number(Double(balance.limit))
                more["ratelimit_remaining"] = .number(Double(balance.remaining))
                more["ratelimit_reset"] = .number(Double(balance.reset))
            }
            return MessageRefusal(error.code, error.message, more: more)
        }
    }
}
