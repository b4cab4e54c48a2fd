import WebSocketTransport

/// What a proxy sends before its client's bytes: the PROXY protocol, version 2
/// (https://www.haproxy.org/download/1.8/doc/proxy-protocol.txt, section 2.2).
enum ProxyHeader: Equatable {
    /// More bytes are needed.
    case incomplete
    /// It is none, or an invalid one.
    case invalid
    /// Its length in bytes, and the client's address; nil where the proxy speaks for itself, as in a health check, or the client
    /// has no IP address.
    case complete(length: Int, client: IPAddress?)

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    private static let headBytes = 16
    /// The addresses of Unix sockets have 216; what proxies add (a host name, certificates' names) stays below this.
    private static let mostBytes = 4096

    static func parse(_ bytes: some RandomAccessCollection<UInt8>) -> ProxyHeader {
        guard bytes.prefix(signature.count).elementsEqual(signature.prefix(bytes.count)) else { return .invalid }
        guard bytes.count >= headBytes else { return .incomplete }
        func byte(_ offset: Int) -> UInt8 { bytes[bytes.index(bytes.startIndex, offsetBy: offset)] }
        let (version, command) = (byte(12) >> 4, byte(12) & 0x0F)
        let (family, transport) = (byte(13) >> 4, byte(13) & 0x0F)
        let length = Int(byte(14)) << 8 | Int(byte(15))
        guard version == 2, command <= 1, length <= mostBytes else { return .invalid }
        guard bytes.count >= headBytes + length else { return .incomplete }
        let whole = headBytes + length
        // LOCAL: whatever the addresses say.
        guard command == 1 else { return .complete(length: whole, client: nil) }
        let size: Int
        switch family {
        case 1: size = 4
        case 2: size = 16
        // Unspecified, and Unix sockets.
        case 0, 3: return .complete(length: whole, client: nil)
        default: return .invalid
        }
        // Source, destination, both ports; over TCP.
        guard transport == 1, length >= 2 * size + 4 else { return .invalid }
        return .complete(length: whole, client: IPAddress(bytes: bytes.dropFirst(headBytes).prefix(size)))
    }
}
