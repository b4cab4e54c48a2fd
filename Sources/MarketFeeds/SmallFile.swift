#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

enum SmallFile {
    /// The bytes of a file, at most `limit + 1`: a result longer than `limit` is a file that is too large.
    /// - Parameter what: how the file is called in a sentence: `The stocks`.
    static func bytes(of path: String, called what: String, limit: Int) throws(FeedError) -> [UInt8] {
        guard let file = fopen(path, "rb") else {
            throw FeedError(.input, "\(what) \(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        guard ferror(file) == 0 else {
            throw FeedError(.input, "\(what) \(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        return bytes
    }
}
