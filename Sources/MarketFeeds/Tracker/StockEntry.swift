import StreamCore

struct StockEntry {
    let file: String
    /// From 1 on, as people count.
    let number: Int
    private var symbol: String?
    private var company: String?
    private var description: String?
    private var initialPrice: Double?
    private var deltaPrice = 0.0

    init(file: String, number: Int) {
        self.file = file
        self.number = number
    }

    /// Reads the next value of a text that is known to be JSON.
    mutating func read(_ scanner: inout JSONScanner) throws -> TrackedStock {
        guard try scanner.kind() == .object else { throw error(nil, "it must be an object") }
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
            switch key {
            case "symbol": symbol = try text("symbol", &scanner, maxLength: StockListReader.maxSymbolLength)
            case "company": company = try text("company", &scanner, maxLength: StockListReader.maxCompanyLength)
            case "description":
                description = try text("description", &scanner, maxLength: StockListReader.maxDescriptionLength)
            case "initial_price": initialPrice = try number("initial_price", &scanner)
            case "delta_price": deltaPrice = try number("delta_price", &scanner)
            default: try scanner.skipValue()
            }
        }
        return try stock()
    }

    private func stock() throws(FeedError) -> TrackedStock {
        guard let symbol else { throw error("symbol", "it is missing") }
        guard TrackedStock.isSymbol(symbol) else {
            throw error("symbol", "allowed are 1 to \(StockListReader.maxSymbolLength) of A-Z, a-z, 0-9, - and .")
        }
        guard let company else { throw error("company", "it is missing") }
        guard !company.isEmpty else { throw error("company", "it must not be empty") }
        guard let description else { throw error("description", "it is missing") }
        guard let initialPrice else { throw error("initial_price", "it is missing") }
        guard (TrackedStock.lowestPrice...TrackedStock.highestPrice).contains(initialPrice) else {
            throw error("initial_price", "allowed are numbers from 0.000001 to 10000000")
        }
        let stock = TrackedStock(
            symbol: symbol, company: company, description: description, initialPrice: initialPrice,
            initialDelta: deltaPrice)
        guard stock.price(delta: deltaPrice) != nil else {
            throw error("delta_price", "initial_price and delta_price together must be above 0 and at most 10000000")
        }
        return stock
    }

    private func text(_ field: String, _ scanner: inout JSONScanner, maxLength: Int) throws -> String {
        guard try scanner.kind() == .string else { throw error(field, "it must be a text in quotes") }
        let text = try scanner.string().string
        guard text.unicodeScalars.count <= maxLength else {
            throw error(field, "it may have \(maxLength) characters, and has \(text.unicodeScalars.count)")
        }
        // They could do things to a terminal; a line break in a description is nothing but a space.
        var clean = ""
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\t" || scalar == "\r" {
                clean.unicodeScalars.append(" ")
            } else if scalar.properties.generalCategory == .control {
                throw error(field, "control characters are not allowed in it")
            } else {
                clean.unicodeScalars.append(scalar)
            }
        }
        return clean
    }

    private func number(_ field: String, _ scanner: inout JSONScanner) throws -> Double {
        guard try scanner.kind() == .number else { throw error(field, "it must be a number without quotes") }
        return try scanner.number()
    }

    /// - Parameter problem: goes on after "entry 3 (AAPL), field "symbol":".
    func error(_ field: String?, _ problem: String) -> FeedError {
        // What is not a symbol may hold anything.
        let known = symbol.flatMap { TrackedStock.isSymbol($0) ? " (\($0))" : nil } ?? ""
        let place = field.map { ", field \"\($0)\"" } ?? ""
        return FeedError(.input, "\(file), entry \(number)\(known)\(place): \(problem).")
    }
}

extension TrackedStock {
    /// Letters and digits of ASCII, `-` and `.`: `BRK.B`, `BF-B`, `600519` and `7203.T` are symbols.
    static func isSymbol(_ text: String) -> Bool {
        (1...StockListReader.maxSymbolLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
