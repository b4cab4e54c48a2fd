import HTTPTypes
import Hummingbird

/// Who may see and change accounts: everyone, or those with a token where the stream asks for one.
struct TradingAccess: Sendable {
    let tokens: StreamTokens?

    func check(_ request: Request) throws(APIError) {
        guard let tokens else { return }
        let parts = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", tokens.contains(String(parts[1])) else {
            throw APIError(
                status: .unauthorized, code: "unauthorized",
                message: "This server asks for a token: Authorization: Bearer TOKEN.")
        }
    }
}
