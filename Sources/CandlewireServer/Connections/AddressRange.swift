import WebSocketTransport

/// Addresses with a common beginning, as `10.0.0.0/8`, `2001:db8::/32` or one address alone (RFC 4632, RFC 4291).
struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    let base: IPAddress
    /// Bits of the 128 that are common.
    let prefix: Int

    /// - Returns: nil where it is none; `10.1.2.3/8` is none either, because it may be a mistake for one address.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = IPAddress(String(parts[0])) else { return nil }
        let isIPv4 = base.isIPv4 && !parts[0].contains(":")
        let bits = isIPv4 ? 32 : 128
        guard parts.count == 2 else {
            self.init(base, 128)
            return
        }
        // Digits alone: Int accepts a sign.
        guard let length = Int(parts[1]), parts[1].allSatisfy(\.isNumber), 0...bits ~= length else { return nil }
        self.init(base, length + 128 - bits)
        guard self.base == base else { return nil }
    }

    private init(_ address: IPAddress, _ prefix: Int) {
        self.prefix = prefix
        base = Self.masked(address, prefix)
    }

    func contains(_ address: IPAddress) -> Bool { Self.masked(address, prefix) == base }

    var description: String {
        let bits = base.isIPv4 && prefix >= 96 ? prefix - 96 : prefix
        return "\(base)/\(bits)"
    }

    private static func masked(_ address: IPAddress, _ prefix: Int) -> IPAddress {
        // Shifts of Swift are smart: 64 leaves nothing.
        let high = prefix >= 64 ? ~0 : ~(~UInt64(0) >> UInt64(prefix))
        let low = prefix <= 64 ? 0 : ~(~UInt64(0) >> UInt64(prefix - 64))
        return IPAddress(high: address.high & high, low: address.low & low)
    }
}
