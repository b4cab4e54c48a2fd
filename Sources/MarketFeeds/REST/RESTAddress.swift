/// Addresses of REST interfaces.
enum RESTAddress {
    /// Whether candles can be asked for there: `http://` or `https://` with a host, without a name, a query or a fragment.
    static func isBase(_ base: String) -> Bool {
        let host = ["http://", "https://"].first { base.lowercased().hasPrefix($0) }.map { base.dropFirst($0.count) }
        guard let first = host?.first, first != "/", first != ":" else { return false }
        return base.utf8.allSatisfy { $0 > 32 && $0 < 127 } && !base.contains(where: { "?#@\"<>\\".contains($0) })
    }
}
