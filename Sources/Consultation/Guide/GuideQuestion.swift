/// A question to the guide in its parts: its words, the numbers in it and the markets it names.
struct GuideQuestion {
    /// Lower case, without punctuation around them.
    let words: [String]
    /// Decimals as they were written, without thousands' commas, in order; those inside a market's name are none.
    let numbers: [String]
    /// As the server names them, in the order of the question.
    let symbols: [String]
    private let set: Set<String>

    init(_ text: String, in snapshot: MarketSnapshot) {
        // What is long enough to cost something is long enough to be no question.
        let tokens = text.lowercased().prefix(2_000).split { $0.isWhitespace || $0 == "?" || $0 == "!" || $0 == ";" }
            .prefix(300).map { token in String(token.trimmingEdges(of: ".,:()\"'")) }
        var names: [String: String] = [:]
        for quote in snapshot.quotes.reversed() {
            for name in Self.names(of: quote.symbol) { names[name] = quote.symbol }
        }
        var (symbols, numbers): ([String], [String]) = ([], [])
        for token in tokens {
            if let symbol = names[token] ?? Self.nicknames[token].flatMap({ names[$0] }) {
                if !symbols.contains(symbol) { symbols.append(symbol) }
            } else if let number = Self.number(token) {
                numbers.append(number)
            }
        }
        words = tokens
        set = Set(tokens)
        self.symbols = symbols
        self.numbers = numbers
    }

    func has(_ any: String...) -> Bool { any.contains { set.contains($0) } }

    /// What a person may call a market: its name, without the feed before it, and its base currency.
    private static func names(of symbol: String) -> [String] {
        let whole = symbol.lowercased()
        let bare = whole.split(separator: ":", maxSplits: 1).last.map(String.init) ?? whole
        var names = [whole, bare]
        if let cut = bare.firstIndex(where: { $0 == "-" || $0 == "/" || $0 == "_" }) {
            names.append(String(bare[..<cut]))
        } else if let quote = ["usdt", "usdc", "usd", "eur"].first(where: {
            bare.hasSuffix($0) && bare.count > $0.count
        }) {
            names.append(String(bare.dropLast(quote.count)))
        }
        return names
    }

    private static let nicknames = [
        "bitcoin": "btc", "ether": "eth", "ethereum": "eth", "solana": "sol", "cardano": "ada", "dogecoin": "doge",
        "litecoin": "ltc", "ripple": "xrp",
    ]

    private static func number(_ token: String) -> String? {
        var text = token.filter { $0 != "," && $0 != "$" && $0 != "€" && $0 != "_" }
        var thousands = false
        if text.hasSuffix("k") {
            text.removeLast()
            thousands = true
        }
        let digits = text.filter { $0 != "." }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), text.count - digits.count <= 1,
            text.first != ".", text.last != ".", text.count <= 20
        else { return nil }
        guard thousands else { return text }
        let parts = text.split(separator: ".")
        let decimals = parts.count > 1 ? parts[1] : ""
        guard decimals.count <= 3 else { return nil }
        return parts[0] + decimals + String(repeating: "0", count: 3 - decimals.count)
    }
}

extension StringProtocol {
    func trimmingEdges(of characters: String) -> SubSequence {
        let start = drop { characters.contains($0) }
        guard let last = start.lastIndex(where: { !characters.contains($0) }) else {
            return start[start.startIndex..<start.startIndex]
        }
        return start[...last]
    }
}
