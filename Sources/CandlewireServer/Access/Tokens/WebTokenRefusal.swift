/// Why a JSON Web Token is not taken: a sentence for whoever sent it, and nothing of the token.
enum WebTokenRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case malformed
    case algorithm(allowed: String)
    case unknownKey
    case signature
    case extensions
    case noExpiry
    case expired(secondsAgo: Int)
    case notYetValid
    case issuer(wanted: String)
    case audience(wanted: String)
    case noSubject
    case reservedSubject

    var description: String {
        switch self {
        case .malformed: "The token is no JSON Web Token."
        case .algorithm(let allowed): "The token's algorithm is not allowed; \(allowed) is."
        case .unknownKey: "The token's key id is not known here."
        case .signature: "The token's signature is not valid."
        case .extensions: "The token has critical extensions (crit), which are not supported."
        case .noExpiry: "The token has no time at which it expires (exp)."
        case .expired(let seconds): "The token expired \(seconds) seconds ago; get a new one."
        case .notYetValid: "The token is not valid yet (nbf)."
        case .issuer(let wanted): "The token's issuer (iss) must be \"\(wanted)\"."
        case .audience(let wanted): "The token's audience (aud) must be \"\(wanted)\"."
        case .noSubject: "The token's subject (sub) must name a user: \(UserName.rule)."
        case .reservedSubject:
            "The token's subject (sub) is \"\(ConsultationUser.local.id)\", which is what this server calls those without a "
                + "name; the login must call its user otherwise."
        }
    }
}
