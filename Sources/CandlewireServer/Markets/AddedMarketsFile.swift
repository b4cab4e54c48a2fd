import Foundation
import HistoryStore
import MarketFeeds
import Synchronization

/// A market that was added while a server ran.
struct AddedMarket: Codable, Equatable, Sendable {
    var feed: String
    var symbol: String
    /// As people call it, where the venue says so.
    var title: String?
    /// It was removed again: its name stays for the ledger.
    var isRemoved = false

    private enum CodingKeys: String, CodingKey {
        case feed, symbol
        case title = "name"
        case isRemoved = "removed"
    }
}

/// The markets that were added while a server ran, in a file of the data directory: `{"markets":[{"feed","symbol",…}]}`.
final class AddedMarketsFile: Sendable {
    private struct Document: Codable { var markets: [AddedMarket] }

    /// Bytes the file may have.
    private static let maxBytes = 1 << 20

    private let path: String
    private let all: Mutex<[AddedMarket]>

    /// - Throws: `ServerError` where there is a file that cannot be read.
    init(directory: String) throws {
        path = directory + "/markets.json"
        guard FileManager.default.fileExists(atPath: path) else {
            all = Mutex([])
            return
        }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            guard data.count <= Self.maxBytes else { throw CocoaError(.fileReadTooLarge) }
            all = Mutex(try JSONDecoder().decode(Document.self, from: data).markets)
        } catch {
            throw ServerError(
                .data,
                "The added markets in \(path) cannot be read; correct the file, or move it away to begin without them.")
        }
    }

    /// Those of a feed, with the removed ones where there is room for them: the newest half of what may be added.
    /// - Parameters:
    ///   - symbols: that are configured anyway.
    ///   - limit: markets that may be added.
    /// - Throws: `FeedError` where one of them is no symbol of the venue.
    func markets(of adapter: any FeedAdapter, beside symbols: [String], limit: Int) throws -> [AddedMarket] {
        let added = all.withLock { $0 }.filter { $0.feed == adapter.name && !symbols.contains($0.symbol) }
        if let flaw = added.lazy.compactMap({ adapter.flaw(of: $0.symbol) }).first {
            throw FeedError(.input, "\(flaw) It is in \(path).")
        }
        let removed = added.filter(\.isRemoved).suffix(limit / 2)
        return added.filter { !$0.isRemoved } + removed
    }

    /// Writes a change; the newest is the last.
    /// - Throws: where the file cannot be written. Then nothing has changed.
    func write(_ market: AddedMarket) throws {
        try all.withLock { all in
            let changed = all.filter { $0.feed != market.feed || $0.symbol != market.symbol } + [market]
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            try SyncedFile.write(try encoder.encode(Document(markets: changed)), to: path)
            all = changed
        }
    }
}
