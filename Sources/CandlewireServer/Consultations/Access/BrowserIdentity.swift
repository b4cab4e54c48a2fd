import HTTPTypes
import HistoryStore
import Hummingbird

/// What distinguishes browsers on a server without logins: a random value in a cookie that no script can read.
///
/// A cookie and not a value of the page, because a browser sends it with a WebSocket's handshake, where a page can set no
/// header: the handshake decides, and the value stands in no address, no log and no script.
enum BrowserIdentity {
    static let cookie = "candlewire_browser"
    /// Seconds that a browser keeps it after the last use: browsers allow no more.
    private static let lifetime = 400 * 86_400
    private static let bytes = 32

    /// The value in a header `Cookie`; `nil` where there is none that this server could have made.
    static func value(cookies: String?) -> String? {
        for pair in (cookies ?? "").split(separator: ";") {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == cookie else { continue }
            if Base64URL.bytes(parts[1].utf8)?.count == bytes { return String(parts[1]) }
        }
        return nil
    }

    static func make() -> String {
        var random = SystemRandomNumberGenerator()
        return Base64URL.text((0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// The store has the digest: who reads it cannot pretend to be the browser.
    static func owner(_ value: String) -> ConversationOwner {
        .browser(Base64URL.text(SHA256.hash(Array(value.utf8))))
    }

    /// The value of a header `Set-Cookie`.
    static func setting(_ value: String, isSecure: Bool) -> String {
        "\(cookie)=\(value); Path=/; Max-Age=\(lifetime); HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }
}

/// Gives each browser its identity with the first request for conversations, on a server without logins.
struct BrowserIdentityMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        // Other programs have neither, and stay as they are. Some browsers send the first one over HTTPS alone, so the page
        // sends the second one.
        let site = request.headers[.fetchSite] ?? request.headers[.page].map { _ in "same-origin" }
        guard let site, path == "/consultations" || path.hasPrefix("/consultations/") else {
            return try await next(request, context)
        }
        // Browsers send cookies to every port of a host: a page of another port of this machine would come with the cookie.
        let isOwn = site == "same-origin" || site == "none"
        let known = isOwn ? BrowserIdentity.value(cookies: request.headers[.cookie]) : nil
        let value = known ?? BrowserIdentity.make()
        var head = request.head
        head.headerFields[.cookie] = "\(BrowserIdentity.cookie)=\(value)"
        var response = try await next(Request(head: head, body: request.body), context)
        // The list begins each visit: then the browser keeps it longer.
        if isOwn, known == nil || path == "/consultations" {
            response.headers[.setCookie] = BrowserIdentity.setting(value, isSecure: request.isSecure)
        }
        return response
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = Self("Sec-Fetch-Site")!
    fileprivate static let page = Self("X-Candlewire-Page")!
}
