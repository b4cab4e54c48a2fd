import StreamCore

/// A product of Coinbase's two directories, which say the same in other words.
enum CoinbaseProduct {
    /// What a directory calls the fields.
    struct Names {
        var id: StaticString
        var base: StaticString
        var quote: StaticString
        var increment: StaticString
    }

    /// - Returns: `nil` for one without a name.
    static func read(_ scanner: inout JSONScanner, _ names: Names) throws -> VenueSymbol? {
        var (id, base, quote, increment, status) = ("", "", "", "", "")
        try scanner.eachField { key, scanner in
            if key.equals(names.id) {
                id = try scanner.anyText()
            } else if key.equals(names.base) {
                base = try scanner.anyText()
            } else if key.equals(names.quote) {
                quote = try scanner.anyText()
            } else if key.equals(names.increment) {
                increment = try scanner.anyText()
            } else if key.equals("status") {
                status = try scanner.anyText()
            } else {
                try scanner.skipValue()
            }
        }
        guard !id.isEmpty else { return nil }
        return VenueSymbol(
            symbol: id, base: base, quote: quote, precision: RESTBody.decimals(increment), status: status)
    }
}
