import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What a failed dial, connection or listening socket means, in words for people: NIO's own descriptions name system
/// calls and error numbers.
package struct NetworkFailure: Sendable {
    /// The end of a sentence, without the address: `the connection was cut`. Errors of other modules keep their own
    /// description.
    package let words: String

    package init(_ error: any Error) {
        words = Self.networkWords(of: error) ?? "\(error)"
    }

    /// - Returns: `nil` where the error is none of the network.
    package init?(ofNetwork error: any Error) {
        guard let words = Self.networkWords(of: error) else { return nil }
        self.words = words
    }

    private static let noHost = "there is no such host"
    private static let cut = "the connection was cut"

    private static func networkWords(of error: any Error) -> String? {
        switch error {
        case let error as NIOConnectionError: words(ofDial: error)
        case let error as IOError: words(of: error.errnoCode)
        case let error as SocketAddressError.UnknownHost: words(ofLookup: error.errorCode)
        case is SocketAddressError: noHost
        case ChannelError.connectTimeout: "it timed out"
        case is ChannelError, NIOSSLError.uncleanShutdown: cut
        case is NIOSSLError, is BoringSSLError: "TLS failed: \(TLSFailure.reason(error))"
        default: nil
        }
    }

    /// A name may have many addresses, each with a failure of its own; one of them is enough. That a server was reached
    /// and refused means more than that a machine without IPv6 cannot reach IPv6.
    private static func words(ofDial failure: NIOConnectionError) -> String {
        let failures = failure.connectionErrors.map(\.error)
        let reason =
            failures.first { !isUnroutable($0) } ?? failures.first ?? failure.dnsAError ?? failure.dnsAAAAError
        return reason.map { NetworkFailure($0).words } ?? noHost
    }

    private static func isUnroutable(_ error: any Error) -> Bool {
        guard let code = (error as? IOError)?.errnoCode else { return false }
        return [ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT].contains(code)
    }

    /// - Parameter code: as `getaddrinfo` returns it.
    static func words(ofLookup code: Int) -> String { code == Int(EAI_AGAIN) ? "no name server answered" : noHost }

    private static func words(of code: CInt) -> String {
        switch code {
        case ECONNREFUSED: "the connection was refused"
        case ETIMEDOUT: "it timed out"
        case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN: cut
        case ENETUNREACH, ENETDOWN: "there is no network that leads there"
        case EHOSTUNREACH, EHOSTDOWN: "the host cannot be reached"
        case EACCES, EPERM: "this machine does not allow it"
        case EMFILE, ENFILE: "too many connections and files are open on this machine"
        case EADDRINUSE: "another program uses this address"
        case EADDRNOTAVAIL: "this machine has no such address"
        default: String(cString: strerror(code))
        }
    }
}
