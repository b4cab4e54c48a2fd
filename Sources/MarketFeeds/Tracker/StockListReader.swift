import StreamCore

/// Reads a list of stocks: a JSON array of `{initial_price, company, description, symbol}`, each with an optional
/// `delta_price`, the distance of the first current price from the initial one.
///
/// Other fields are skipped. What is wrong is said with the entry, the field and what is allowed; a list with a mistake
/// is refused as a whole, for half a list would look like all of it.
public struct StockListReader: Sendable {
    /// Most stocks of a list, most bytes of a file.
    public static let maxStocks = 1000
    public static let maxBytes = 4 << 20
    public static let maxSymbolLength = 24
    static let maxCompanyLength = 200
    static let maxDescriptionLength = 4000

    private let name: String

    /// - Parameter name: what the list is called in sentences, a file's name.
    public init(name: String) { self.name = name }

    public func read(_ bytes: [UInt8]) throws(FeedError) -> [TrackedStock] {
        guard bytes.count <= Self.maxBytes else {
            throw FeedError(.input, "\(name) has \(bytes.count) bytes; a list of stocks has at most \(Self.maxBytes).")
        }
        // Editors on Windows put a mark before the text (RFC 8259, section 8.1, lets readers skip it).
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let result: Result<[TrackedStock], FeedError> = text.withUnsafeBytes { bytes in
            do throws(FeedError) { return .success(try stocks(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func stocks(_ bytes: Bytes) throws(FeedError) -> [TrackedStock] {
        var stocks: [TrackedStock] = []
        var entryOfSymbol: [String: Int] = [:]
        do throws(JSONError) {
            // The whole text first, so that a missing brace is not blamed on an entry.
            var whole = JSONScanner(bytes)
            try whole.skipValue()
            try whole.end()
        } catch { throw notJSON(error, in: bytes) }
        var scanner = JSONScanner(bytes)
        do {
            guard try scanner.kind() == .array else {
                throw FeedError(.input, "\(name) must be an array of stocks: [{\"symbol\": …}, …].")
            }
            try scanner.beginArray()
            while try scanner.nextElement() {
                guard stocks.count < Self.maxStocks else {
                    throw FeedError(.input, "\(name) has more than \(Self.maxStocks) entries, the most there may be.")
                }
                var entry = StockEntry(file: name, number: stocks.count + 1)
                let stock = try entry.read(&scanner)
                if let first = entryOfSymbol[stock.symbol] {
                    throw entry.error("symbol", "each symbol may be there once; entry \(first) has it, too")
                }
                entryOfSymbol[stock.symbol] = entry.number
                stocks.append(stock)
            }
        } catch let error as FeedError {
            throw error
        } catch let error as JSONError {
            throw notJSON(error, in: bytes)
        } catch { throw FeedError(.input, "\(name) cannot be read: \(error).") }
        guard !stocks.isEmpty else {
            throw FeedError(.input, "\(name) is an empty array; it needs at least one stock.")
        }
        return stocks
    }

    private func notJSON(_ error: JSONError, in bytes: Bytes) -> FeedError {
        let before = bytes.prefix(error.offset)
        let line = before.count { $0 == 0x0A } + 1
        let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return FeedError(.input, "\(name) is not valid JSON: line \(line), byte \(column), \(error.problem.sentence).")
    }

    /// Reads a file.
    /// - Throws: `FeedError` of kind `input`, one sentence.
    public static func stocks(file path: String) throws(FeedError) -> [TrackedStock] {
        try StockListReader(name: path.split(separator: "/").last.map(String.init) ?? path)
            .read(SmallFile.bytes(of: path, called: "The stocks", limit: maxBytes))
    }
}
