/// An order in words: what each word of a question is for, and which have no meaning here.
///
/// A word is never dropped: it is read, is a word of courtesy, or is in `unclear`.
struct OrderSentence {
    enum Side: String { case buy, sell }
    enum Direction: String {
        case up = "above"
        case down = "below"
    }

    /// A price in words.
    enum Level: Equatable {
        case price(String)
        /// In percent of the reference price; without a direction the order's side gives it.
        case percent(String, Direction?)
        /// In the quote currency, from the reference price.
        case distance(String, Direction)
    }

    enum Entry: Equatable {
        case market
        case limit(Level)
        /// When the market reaches a level; without a direction the present price gives it.
        case reaches(Level, Direction?)
    }

    private(set) var side: Side?
    private(set) var quantity: String?
    private(set) var symbol: String?
    private(set) var entry: Entry?
    private(set) var stopLoss: Level?
    private(set) var takeProfit: Level?
    /// Parts without a meaning, as they were written.
    private(set) var unclear: [String] = []

    private let pieces: [GuideQuestion.Piece]
    private var at = 0
    private var lastUnclear = -2
    private var wantsLimit = false

    init(_ question: GuideQuestion) {
        pieces = question.pieces
        while at < pieces.count { readPart() }
        if wantsLimit, entry == nil || entry == .market { unclear.append("limit") }
    }

    // MARK: Parts

    private mutating func readPart() {
        switch pieces[at].content {
        case .symbol(let named):
            if symbol == nil || symbol == named { symbol = named } else { return reject() }
            at += 1
        case .number(let number, let isMoney):
            let start = at
            if let level = readLevel() {
                if quantity != nil || level != .price(number), readRole(level) { return }
                at = start
            }
            // An amount of money is no quantity.
            guard quantity == nil, !isMoney else { return reject() }
            quantity = number
            at += 1
            _ = accept(["coin", "coins", "unit", "units", "share", "shares"])
        case .percent:
            let start = at
            if let level = readLevel(), readRole(level) { return }
            at = start
            reject()
        case .word(let word): read(word)
        }
    }

    /// What follows a level that was named first: `2 % stop loss`, `2 % below the market`.
    private mutating func readRole(_ level: Level) -> Bool {
        let start = at
        _ = accept(["as", "a", "the"])
        if readStopWords() {
            set(\.stopLoss, level, from: start)
            return true
        }
        if readProfitWords() {
            set(\.takeProfit, level, from: start)
            return true
        }
        at = start
        switch level {
        case .percent(_, .some), .distance:
            guard entry == nil else { return false }
            entry = .limit(level)
            return true
        default: return false
        }
    }

    private mutating func read(_ word: String) {
        let start = at
        switch word {
        case "buy", "sell", "long", "short":
            let named: Side = word == "buy" || word == "long" ? .buy : .sell
            guard side == nil || side == named && word != "buy" && word != "sell" else { return reject() }
            side = named
            at += 1
        case "at", "@", "limit", "for":
            at += 1
            if word == "for", pieces.indices.contains(at), case .number = pieces[at].content {
                return reject(from: start)
            }
            if word != "for", readMarketWords() { return set(.market, from: start) }
            _ = accept(["limit", "of", "price", "at", "a", "the", "is", "order"])
            if let level = readLevel() { return set(.limit(level), from: start) }
            if word == "for" { return }
            // `limit order`, with its price elsewhere.
            if word == "limit" { wantsLimit = true } else { reject(from: start) }
        case "market":
            at += 1
            _ = accept(["order", "price"])
            set(.market, from: start)
        case "when", "once", "if": readCondition()
        case "with", "and", "plus": at += 1
        default:
            if readStopWords() { return readLeg(\.stopLoss, from: start) }
            if readProfitWords() { return readLeg(\.takeProfit, from: start) }
            if Self.courtesy.contains(word) { at += 1 } else { reject() }
        }
    }

    private mutating func readLeg(_ leg: WritableKeyPath<OrderSentence, Level?>, from start: Int) {
        _ = accept(["at", "of", "is", "to", "a", "the", "price", "set", "level", "order", "=", "@"])
        guard let level = readLevel() else { return reject(from: start) }
        set(leg, level, from: start)
    }

    /// `when it falls to 60000`, `if the price is 2 % below the market`.
    private mutating func readCondition() {
        let start = at
        at += 1
        var direction: Direction?
        while at < pieces.count {
            if case .symbol(let named) = pieces[at].content, symbol == nil || symbol == named {
                symbol = named
                at += 1
            } else if let word = pieces[at].word, let found = Self.directions[word] {
                guard direction == nil || direction == found else { return reject(from: start) }
                direction = found
                at += 1
            } else if !accept([
                "it", "the", "price", "market", "to", "by", "is", "goes", "go", "gets", "trades", "at", "reaches",
                "hits",
                "touches", "breaks", "its", "crosses",
            ]) {
                break
            }
        }
        guard let level = readLevel() else { return reject(from: start) }
        if case .percent(let amount, nil) = level {
            guard let direction else { return reject(from: start) }
            return set(.reaches(.percent(amount, direction), direction), from: start)
        }
        set(.reaches(level, direction), from: start)
    }

    // MARK: Words

    private mutating func readStopWords() -> Bool {
        guard let word = pieces.indices.contains(at) ? pieces[at].word : nil else { return false }
        switch word {
        case "stop-loss", "stoploss", "sl": at += 1
        case "stop":
            // Another kind of order.
            if pieces.indices.contains(at + 1), ["limit", "order"].contains(pieces[at + 1].word) { return false }
            at += 1
            _ = accept(["loss", "losses"])
        default: return false
        }
        return true
    }

    private mutating func readProfitWords() -> Bool {
        guard let word = pieces.indices.contains(at) ? pieces[at].word : nil else { return false }
        switch word {
        case "take-profit", "takeprofit", "tp", "target": at += 1
        case "take" where pieces.indices.contains(at + 1) && ["profit", "profits"].contains(pieces[at + 1].word):
            at += 2
        case "profit" where pieces.indices.contains(at + 1) && pieces[at + 1].word == "target": at += 2
        default: return false
        }
        return true
    }

    private mutating func readMarketWords() -> Bool {
        let start = at
        _ = accept(["the", "current", "present"])
        if accept(["market"]) {
            _ = accept(["price"])
            return true
        }
        at = start
        return false
    }

    /// `65000`, `2 % below the market`, `500 dollars under entry`.
    private mutating func readLevel() -> Level? {
        let start = at
        let before = pieces[safe: at]?.word.flatMap { Self.directions[$0] }
        if before != nil { at += 1 }
        guard let piece = pieces[safe: at] else { return reset(start) }
        let after = pieces[safe: at + 1]?.word.flatMap { Self.sides[$0] }
        switch piece.content {
        case .number(let number, _):
            at += after == nil ? 1 : 2
            if let after {
                acceptReference()
                return before == nil ? .distance(number, after) : reset(start)
            }
            return .price(number)
        case .percent(let amount):
            at += after == nil ? 1 : 2
            // `2 % away` has no direction.
            if accept(["away"]) || after != nil { acceptReference() }
            if let before, let after, before != after { return reset(start) }
            return .percent(amount, after ?? before)
        default: return reset(start)
        }
    }

    private mutating func acceptReference() {
        _ = accept([
            "the", "my", "its", "current", "present", "market", "price", "entry", "it", "that", "from", "than", "limit",
        ])
    }

    /// Reads words of a set for as long as they come.
    private mutating func accept(_ words: Set<String>) -> Bool {
        let start = at
        while let word = pieces[safe: at]?.word, words.contains(word) { at += 1 }
        return at > start
    }

    private mutating func reset(_ start: Int) -> Level? {
        at = start
        return nil
    }

    // MARK: Results

    private mutating func set(_ entry: Entry, from start: Int) {
        if self.entry == nil || self.entry == entry { self.entry = entry } else { reject(from: start) }
    }

    private mutating func set(_ leg: WritableKeyPath<OrderSentence, Level?>, _ level: Level, from start: Int) {
        if self[keyPath: leg] == nil { self[keyPath: leg] = level } else { reject(from: start) }
    }

    /// The piece at the cursor has no meaning.
    private mutating func reject() {
        at += 1
        reject(from: at - 1)
    }

    /// Pieces that stand together are one part.
    private mutating func reject(from start: Int) {
        at = max(at, start + 1)
        let text = pieces[start..<at].map(\.text).joined(separator: " ")
        if lastUnclear == start, let last = unclear.popLast() {
            unclear.append("\(last) \(text)")
        } else {
            unclear.append(text)
        }
        lastUnclear = at
    }

    static let directions: [String: Direction] = [
        "falls": .down, "fall": .down, "drops": .down, "drop": .down, "dips": .down, "declines": .down, "below": .down,
        "under": .down, "down": .down, "rises": .up, "rise": .up, "climbs": .up, "above": .up, "over": .up, "up": .up,
        "exceeds": .up, "beyond": .up,
    ]

    static let sides: [String: Direction] = [
        "below": .down, "under": .down, "lower": .down, "down": .down, "beneath": .down, "above": .up, "over": .up,
        "higher": .up, "up": .up,
    ]

    /// They change nothing of an order.
    static let courtesy: Set<String> = [
        "please", "i", "i'd", "like", "want", "to", "would", "can", "could", "you", "me", "a", "an", "the", "of",
        "order",
        "orders", "paper", "my", "put", "place", "set", "use", "using", "make", "create", "propose", "proposal",
        "thanks",
        "now", "go", "then", "it", "bracket", "some", "let's", "lets", "hi", "hello", "thank", "its", "also", "card",
    ]
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
