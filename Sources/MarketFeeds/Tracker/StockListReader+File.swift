extension StockListReader {
    /// Reads a file.
    /// - Throws: `FeedError` of kind `input`, one sentence.
    public static func stocks(file path: String) throws(FeedError) -> [TrackedStock] {
        try StockListReader(name: path.split(separator: "/").last.map(String.init) ?? path)
            .read(SmallFile.bytes(of: path, called: "The stocks", most: mostBytes))
    }
}
