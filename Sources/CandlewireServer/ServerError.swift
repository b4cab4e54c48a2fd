public import Foundation

/// Why the server cannot run: one sentence with what, where and what to do.
public struct ServerError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The address cannot be bound.
        case address
        /// A file that decides who may read cannot be used.
        case access
        /// A file of the data directory cannot be read.
        case data
        /// The ledger's entries do not make accounts.
        case ledger
        /// The page inside the program is damaged.
        case page
    }

    public let kind: Kind
    public let description: String
    public var errorDescription: String? { description }

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

extension Result where Failure == any Error {
    /// What `body` returns or throws.
    static func of(_ body: () async throws -> Success) async -> Result {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
