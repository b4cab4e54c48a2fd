import NIOCore
import NIOPosix

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Why nobody could be reached, in words for people: NIO's own descriptions are for those who know its sources.
struct DialFailure {
    /// What happened, without the address, as the end of a sentence.
    let words: String

    init(_ error: any Error) {
        guard let failure = error as? NIOConnectionError else {
            words = Self.words(of: error)
            return
        }
        // A name may have many addresses, each with a failure of its own; one of them says enough. That somebody was
        // reached who refused says more than that a machine without IPv6 cannot reach IPv6.
        let failures = failure.connectionErrors.map(\.error)
        if let telling = failures.first(where: { !Self.isUnroutable($0) }) ?? failures.first {
            words = Self.words(of: telling)
        } else if let lookup = failure.dnsAError ?? failure.dnsAAAAError {
            words = Self.words(of: lookup)
        } else {
            words = Self.noHost
        }
    }

    private static let noHost = "there is no such host"

    private static func isUnroutable(_ error: any Error) -> Bool {
        guard let code = (error as? IOError)?.errnoCode else { return false }
        return [ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT].contains(code)
    }

    private static func words(of error: any Error) -> String {
        switch error {
        case let error as IOError: words(of: error.errnoCode)
        case let error as SocketAddressError.UnknownHost: words(ofLookup: error.errorCode)
        case ChannelError.connectTimeout: "it timed out"
        case is SocketAddressError: noHost
        default: "\(error)"
        }
    }

    /// - Parameter code: as `getaddrinfo` returns it.
    static func words(ofLookup code: Int) -> String {
        code == Int(EAI_AGAIN) ? "no name server answered" : noHost
    }

    private static func words(of code: CInt) -> String {
        switch code {
        case ECONNREFUSED: "the connection was refused"
        case ETIMEDOUT: "it timed out"
        case ECONNRESET, EPIPE: "the connection was cut"
        case ENETUNREACH, ENETDOWN: "there is no network that leads there"
        case EHOSTUNREACH, EHOSTDOWN: "the host cannot be reached"
        case EACCES, EPERM: "this machine does not allow it"
        case EMFILE, ENFILE: "too many connections and files are open on this machine"
        default: String(cString: strerror(code))
        }
    }
}
