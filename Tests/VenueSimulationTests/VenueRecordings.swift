import Foundation

@testable import VenueSimulation

/// The recordings beside the repository that are not packed; those of other tests are made here.
enum VenueRecordings {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/data/recordings").path

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder) }

    static var all: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.contains(".jsonl") && !$0.contains(".sent.") && !$0.contains(".http.") }.sorted()
    }

    /// A match of Coinbase, `second` after 2021-04-17T16:43:00Z.
    static func match(
        _ id: Int, _ second: Double, price: String = "10.5", size: String = "2", product: String = "AB-CD",
        type: String = "match"
    ) -> String {
        let time = VenueTime.rfc3339(1_618_677_780_000_000_000 + Int64(second * 1e9))
        return #"{"type":"\#(type)","trade_id":\#(id),"maker_order_id":"m","taker_order_id":"t","side":"sell","#
            + #""size":"\#(size)","price":"\#(price)","product_id":"\#(product)","sequence":\#(id * 10),"time":"\#(time)"}"#
    }

    /// Matches 101, 102, ... a second apart, after a last match 100.
    static func coinbase(_ count: Int) -> RecordedSession {
        let start: Int64 = 1_618_677_780_000_000_000
        let lines = [match(100, -30, type: "last_match")] + (0..<count).map { match(101 + $0, Double($0)) }
        let times = [start] + (0..<count).map { start + Int64($0) * 1_000_000_000 }
        return RecordedSession(lines: lines, times: times)
    }
}
