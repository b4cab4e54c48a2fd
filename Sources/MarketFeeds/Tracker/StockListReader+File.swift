#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension StockListReader {
    /// Reads a file.
    /// - Throws: `FeedError` of kind `input`, one sentence.
    public static func stocks(file path: String) throws(FeedError) -> [TrackedStock] {
        try StockListReader(name: path.split(separator: "/").last.map(String.init) ?? path).read(bytes(of: path))
    }

    private static func bytes(of path: String) throws(FeedError) -> [UInt8] {
        guard let file = fopen(path, "rb") else {
            throw FeedError(.input, "The stocks \(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        // One more than is allowed tells a file that is too large.
        while bytes.count <= mostBytes {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        guard ferror(file) == 0 else {
            throw FeedError(.input, "The stocks \(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        return bytes
    }
}
