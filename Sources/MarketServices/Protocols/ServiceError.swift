public import Foundation
@_exported public import TradingErrors

/// Why a service could not carry out a request.
public struct ServiceError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is: what to do about it depends on this alone.
    public enum Kind: Hashable, Sendable {
        /// The request is wrong; `field` says where. A repeated request gets the same answer.
        case rejected
        /// There is no such market, order or position.
        case notFound
        /// The order has changed meanwhile, or cannot be changed any more.
        case conflict
        /// The client is not authenticated, or its token has expired (401).
        case unauthorized
        /// It is not allowed (403).
        case forbidden
        /// Too many requests (429): retry after this many seconds.
        case rateLimited(retryAfter: Double)
        /// The service cannot do it at the moment (503), also after the retries.
        case unavailable
        /// The service failed (another 5xx).
        case serverFailure
        /// No answer in time, also after the retries.
        case timedOut
        /// No connection, also after the retries.
        case network
        /// The answer could not be understood.
        case badAnswer
        /// The services are of another account or mode than the server's.
        case wrongAccount
        /// The services are shut down, or the task was cancelled.
        case closed
    }

    public var kind: Kind
    /// The service's own word for it, for example `unknown_symbol`; empty: none.
    public var code: String
    /// A sentence for people, without secrets.
    public var message: String
    /// The field of the request that is wrong, as on the wire, for example `limit_price`.
    public var field: String?
    /// Whether the request may have been carried out all the same: it was sent, and no answer came. Fetch the state
    /// before you repeat it. `place` can be repeated safely, because of its `clientOrderID`.
    public var mayHaveHappened: Bool
    /// Finds the request in the server's log; nil: it was not sent.
    public var correlationID: String?

    public init(
        _ kind: Kind, code: String = "", message: String, field: String? = nil, mayHaveHappened: Bool = false,
        correlationID: String? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.field = field
        self.mayHaveHappened = mayHaveHappened
        self.correlationID = correlationID
    }

    public var description: String { message }
    public var errorDescription: String? { message }

    static let shutDown = ServiceError(.closed, message: "The services are shut down.")
    static let cancelled = ServiceError(.closed, message: "The task was cancelled.")
}
