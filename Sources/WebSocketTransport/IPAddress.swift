package import NIOCore

/// An IPv6 address, or an IPv4 address in its IPv6 form (RFC 4291, section 2.5.5.2): one client is one value, whichever family
/// its connection came by.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter bytes: 4 or 16, in network order.
    package init?(bytes: some Collection<UInt8>) {
        func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self.init(high: 0, low: 0xFFFF_0000_0000 | word(bytes))
        case 16: self.init(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8)))
        default: return nil
        }
    }

    /// - Parameter text: as `192.0.2.1` or `2001:db8::1`, without brackets, port and zone.
    package init?(_ text: String) {
        guard !text.utf8.contains(UInt8(ascii: "%")), let address = try? SocketAddress(ipAddress: text, port: 0) else {
            return nil
        }
        self.init(address)
    }

    /// - Returns: nil where there is no IP address (a Unix socket).
    package init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            // Behind family and port, on Linux as on Apple's systems.
            self.init(bytes: withUnsafeBytes(of: address.address) { Array($0[4..<8]) })
        case .v6(let address):
            // Behind family, port and flow information.
            self.init(bytes: withUnsafeBytes(of: address.address) { Array($0[8..<24]) })
        case .unixDomainSocket, nil: return nil
        }
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    package var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// What one peer has to itself: an IPv4 address, or the /64 that an IPv6 subscriber gets.
    package var subscriber: IPAddress { isIPv4 || isLoopback ? self : IPAddress(high: high, low: 0) }

    package var description: String {
        var packed = ByteBuffer()
        if isIPv4 {
            packed.writeInteger(UInt32(truncatingIfNeeded: low))
        } else {
            packed.writeInteger(high)
            packed.writeInteger(low)
        }
        return (try? SocketAddress(packedIPAddress: packed, port: 0))?.ipAddress ?? ""
    }
}
