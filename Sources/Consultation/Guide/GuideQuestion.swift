/// A question to the guide in its parts: its words, the numbers in it and the markets it names.
struct GuideQuestion {
    /// Lower case, without punctuation around them.
    let words: [String]
    /// Decimals as they were written, without thousands' commas, in order; those inside a market's name are none.
    let numbers: [String]
    /// As the server names them, in the order of the question.
    let symbols: [String]
    /// As it was written, its first 2,000 characters.
    let text: String
    /// What the words are, in order.
    let pieces: [Piece]
    private let set: Set<String>

    /// A word, or several that are one amount.
    struct Piece {
        enum Content: Equatable {
            case symbol(String)
            /// A decimal, and whether it is an amount of money (`$500`, `500 dollars`).
            case number(String, isMoney: Bool)
            case percent(String)
            case word(String)
        }

        var content: Content
        /// As it was written, in lower case.
        var text: String
        /// Whether it was written with a capital.
        var isCapitalized = false

        var word: String? { if case .word(let word) = content { word } else { nil } }
    }

    init(_ text: String, in snapshot: MarketSnapshot) {
        // What is long enough to cost something is long enough to be no question.
        let text = String(text.prefix(2_000))
        let written = text.replacing("’", with: "'").split { $0.isWhitespace || $0 == "?" || $0 == "!" || $0 == ";" }
            .prefix(300).map(Self.trimmed)
        let tokens = written.map { $0.lowercased() }
        var names: [String: String] = [:]
        for quote in snapshot.quotes.reversed() {
            for name in Self.names(of: quote.symbol) { names[name] = quote.symbol }
        }
        var (symbols, numbers, pieces): ([String], [String], [Piece]) = ([], [], [])
        for (index, token) in tokens.enumerated() where !token.isEmpty {
            if let symbol = names[token] ?? Self.nicknames[token].flatMap({ names[$0] }) {
                if !symbols.contains(symbol) { symbols.append(symbol) }
                pieces.append(Piece(content: .symbol(symbol), text: token))
            } else if let percent = Self.percent(token) {
                pieces.append(Piece(content: .percent(percent), text: token))
            } else if let number = Self.number(token) {
                numbers.append(number)
                let isMoney = token.contains { $0 == "$" || $0 == "€" }
                pieces.append(Piece(content: .number(number, isMoney: isMoney), text: token))
            } else if let last = pieces.last, case .number(let number, _) = last.content,
                let unit = Self.unit(token, number)
            {
                if case .percent = unit { numbers.removeLast() }
                pieces[pieces.count - 1] = Piece(content: unit, text: "\(last.text) \(token)")
            } else {
                let isCapitalized = written[index].first?.isUppercase == true
                pieces.append(Piece(content: .word(token), text: token, isCapitalized: isCapitalized))
            }
        }
        self.text = text
        self.pieces = pieces
        words = tokens
        set = Set(tokens)
        self.symbols = symbols
        self.numbers = numbers
    }

    func has(_ any: Set<String>) -> Bool { !set.isDisjoint(with: any) }

    func has(_ any: String...) -> Bool { any.contains { set.contains($0) } }

    /// Without punctuation around it; `.5` keeps its point.
    private static func trimmed(_ token: Substring) -> Substring {
        let start = token.drop { ",:()\"'".contains($0) }
        guard start.first == ".", start.dropFirst().first?.isNumber == true else {
            return token.trimmingEdges(of: ".,:()\"'")
        }
        return start.lastIndex { !".,:()\"'".contains($0) }.map { start[...$0] } ?? start
    }

    var hasAmount: Bool {
        pieces.contains { piece in
            switch piece.content {
            case .number, .percent: true
            default: false
            }
        }
    }

    /// Whether it is about a stop loss or a take profit.
    var hasLeg: Bool {
        has("sl", "stop", "stop-loss", "stoploss", "take-profit", "takeprofit", "target", "tp")
            || has("take") && has("profit", "profits")
    }

    /// Words that are neither known nor courtesy, those that stand together as one part.
    /// - Parameter amounts: numbers too.
    func unknown(_ known: Set<String>, amounts: Bool = false) -> [String] {
        unknown { _, piece in
            switch piece.content {
            case .symbol: true
            case .number, .percent: !amounts
            case .word(let word): known.contains(word)
            }
        }
    }

    /// - Parameter isKnown: of a piece and its place; not called for courtesy.
    func unknown(_ isKnown: (Int, Piece) -> Bool) -> [String] {
        var parts: [[String]] = []
        var isOpen = false
        for (index, piece) in pieces.enumerated() {
            let isFilling = piece.word.map { Self.joining.contains($0) || OrderSentence.courtesy.contains($0) }
            if isFilling == true || isKnown(index, piece) {
                isOpen = false
            } else if isOpen {
                parts[parts.count - 1].append(piece.text)
            } else {
                parts.append([piece.text])
                isOpen = true
            }
        }
        return parts.map { $0.joined(separator: " ") }
    }

    private static let joining: Set<String> = [
        "and", "are", "at", "for", "give", "in", "is", "need", "on", "or", "tell", "that", "this", "with",
    ]

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

    private static func unit(_ token: String, _ number: String) -> Piece.Content? {
        switch token {
        case "%", "percent", "pct": .percent(number)
        case "usd", "usdt", "usdc", "eur", "dollar", "dollars", "euro", "euros", "bucks":
            .number(number, isMoney: true)
        default: nil
        }
    }

    /// The amount of `2%`, `-2%` or `+2%`: a direction is in words.
    private static func percent(_ token: String) -> String? {
        guard token.last == "%" else { return nil }
        let unsigned = token.dropLast().drop { $0 == "-" || $0 == "+" || $0 == "−" }
        return number(String(unsigned))
    }

    private static func number(_ token: String) -> String? {
        // A comma separates thousands, and nothing else: `0,5` is not 5.
        let groups = token.filter { $0 != "$" && $0 != "€" }.split(
            separator: ",", omittingEmptySubsequences: false)
        for group in groups.dropFirst() {
            guard group.prefix(3).count == 3, group.prefix(3).allSatisfy(\.isNumber),
                group.dropFirst(3).first.map({ $0 == "." || $0 == "k" }) ?? true
            else { return nil }
        }
        if groups.count > 1, groups[0].isEmpty || groups[0].count > 3 || groups[0].contains(".") { return nil }
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
