import Foundation
import MarketServices
import TradingCore

/// Fetches a server's events again and again, and writes each once, in order.
///
/// By pages and not from the stream: the stream's snapshot after a lost connection has the newest events only, while pages
/// lead back to the last event that was written, so that there is no hole.
struct EventFollower<Mode: TradingMode> {
    private static var pause: Double { 1 }
    private static var longestPause: Double { 30 }
    /// As many ids as two pages have: older events cannot come again.
    private static var remembered: Int { 20_000 }

    private let session: TradingSession<Mode>
    private let filter: EventFilter
    private var seen: Set<String> = []
    private var order: [String] = []
    private var isFirst = true

    init(_ session: TradingSession<Mode>, filter: EventFilter) {
        self.session = session
        self.filter = filter
    }

    /// Until the reader of the output is gone, or the server refuses for good.
    mutating func run() async throws {
        var pause = Self.pause
        var isLost = false
        while true {
            do {
                let events = try await fetchNew()
                if isLost { Console.writeError("The server answers again.\n") }
                (isLost, pause) = (false, Self.pause)
                for event in events.reversed() where !Console.write(event) { return }
                isFirst = false
            } catch let error as ServiceError {
                let failure = session.run.server.failure(error)
                guard failure.isPassing, !isFirst else { throw failure }
                if !isLost { Console.writeError("\(failure.sentence()) Trying again.\n") }
                isLost = true
                pause = min(pause * 2, Self.longestPause)
            }
            try await Task.sleep(for: .seconds(pause))
        }
    }

    /// The lines of the events that were not written yet, the newest first. Goes back page by page to one that was.
    private mutating func fetchNew() async throws -> [String] {
        var lines: [String] = []
        var filter = filter
        while true {
            let page: [ServiceEvent]
            do throws(ServiceError) {
                page = try await session.events.fetchEvents(filter)
            } catch {
                guard error.field == "before" else { throw error }
                Console.writeError("The server has dropped older events: some before the next line are missing.\n")
                break
            }
            let texts =
                session.run.writesJSON ? try documents() : page.map { TradingTables.event($0, on: .standardOutput) }
            var count = 0
            for (event, text) in zip(page, texts) where seen.insert(event.id).inserted {
                order.append(event.id)
                lines.append(text)
                count += 1
            }
            // The first time what is there is a beginning, not a gap.
            guard !isFirst, count > 0, count == page.count else { break }
            filter.before = page.last?.id
        }
        while order.count > Self.remembered { seen.remove(order.removeFirst()) }
        return lines
    }

    /// The events of the last answer as documents, with members that this version does not know.
    private func documents() throws -> [String] {
        let body = Data(session.run.server.lastAnswer?.body ?? [])
        let object = try JSONSerialization.jsonObject(with: body) as? [String: Any]
        return try (object?["events"] as? [Any] ?? []).map { event in
            let data = try JSONSerialization.data(
                withJSONObject: event, options: [.sortedKeys, .withoutEscapingSlashes])
            return String(decoding: data, as: UTF8.self) + "\n"
        }
    }
}
