import MarketServices

/// What a service throws; nil where it does not, or something else.
func serviceError(_ body: () async throws -> Void) async -> ServiceError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? ServiceError
    }
}
