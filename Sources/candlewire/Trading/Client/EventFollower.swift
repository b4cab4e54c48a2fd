import Foundation

/// Asks a server for its events again and again, and writes each once, in order.
struct EventFollower {
    private static let pause = 1.0
    private static let longestPause = 30.0
    /// As many ids as two pages have: what is older cannot come again.
    private static let remembered = 20_000

    let server: TradingServer
    let query: [(name: String, value: String)]
    let writesJSON: Bool
    private var seen: Set<String> = []
    private var order: [String] = []
    private var isFirst = true

    init(server: TradingServer, query: [(name: String, value: String)], writesJSON: Bool) {
        self.server = server
        self.query = query
        self.writesJSON = writesJSON
    }

    /// Until whoever reads the output is gone, or the server refuses for good.
    mutating func run() async throws {
        var pause = Self.pause
        var isLost = false
        while true {
            do {
                let pages = try await news()
                if isLost { Question.write("The server answers again.\n") }
                (isLost, pause) = (false, Self.pause)
                for event in pages.reversed() where !write(event) { return }
                isFirst = false
            } catch let failure as TradingFailure where failure.isPassing && !isFirst {
                if !isLost { Question.write("\(failure.description) Trying again.\n") }
                isLost = true
                pause = min(pause * 2, Self.longestPause)
            }
            try await Task.sleep(for: .seconds(pause))
        }
    }

    /// One event: the document's own text, and what a line shows of it.
    private struct Event {
        var raw: Data
        var document: EventDocument
    }

    /// The events that were not written yet, the newest first. Looks back page by page until it meets one that was.
    private mutating func news() async throws -> [Event] {
        var events: [Event] = []
        var before: String?
        while true {
            var query = query
            query.add("before", before)
            let page: [Event]
            do {
                page = try Self.events(of: try await server.get(["v1", "events"], query))
            } catch let failure as TradingFailure where failure.refusal?.field == "before" {
                Question.write("More happened than the server keeps: events before the next line are missing.\n")
                break
            }
            let new = page.filter { seen.insert($0.document.id).inserted }
            order += new.map(\.document.id)
            events += new
            // The first time what is there is a beginning, not a gap.
            guard !isFirst, !new.isEmpty, new.count == page.count else { break }
            before = page.last?.document.id
        }
        while order.count > Self.remembered { seen.remove(order.removeFirst()) }
        return events
    }

    private static func events(of answer: TradingServer.Answer) throws -> [Event] {
        let documents = try answer.decoded(EventsDocument.self).events
        let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        let raw = object?["events"] as? [Any] ?? []
        return try zip(raw, documents).map { raw, document in
            let data = try JSONSerialization.data(withJSONObject: raw, options: [.sortedKeys, .withoutEscapingSlashes])
            return Event(raw: data, document: document)
        }
    }

    private func write(_ event: Event) -> Bool {
        TradingRun.write(
            writesJSON
                ? String(decoding: event.raw, as: UTF8.self) + "\n"
                : TradingTables.event(event.document, on: .standardOutput))
    }
}
