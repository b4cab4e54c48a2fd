import HTTPTypes

/// Who may consult: everyone, or those with a token where the stream asks for one.
struct ConsultationAccess: Sendable {
    let tokens: StreamTokens?

    /// Who the headers of a request say it is.
    /// - Parameter header: the value of a header, by its name in lower case.
    /// - Returns: `nil` where they name nobody and the server asks for somebody.
    /// - Throws: where they name somebody who is not known.
    func user(_ header: (String) -> String?) throws(APIError) -> ConsultationUser? {
        guard tokens != nil else { return .local }
        guard let authorization = header("authorization") else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", let user = user(token: String(parts[1])) else {
            throw .unauthenticated
        }
        return user
    }

    /// Who a token is, as it comes in a first frame; `nil` where it is not known.
    func user(token: String) -> ConsultationUser? {
        guard let tokens else { return .local }
        return tokens.contains(token) ? .local : nil
    }
}

extension APIError {
    static let unauthenticated = APIError(
        status: .unauthorized, code: "unauthorized",
        message: "This server asks for a token: Authorization: Bearer TOKEN.")
}
