import MarketModel
import Synchronization

/// What became of requests and pictures, for `/metrics`. A lock for each request: none of them is a tick.
final class RequestCounts: Sendable {
    /// The labels of a request. Each has few values, whatever clients send.
    struct Request: Hashable, Comparable, Sendable {
        /// As `/v1/orders/{id}`; `page` for the page's files, `none` where there is nothing.
        var route: String
        /// `other` where it is none that this server knows.
        var method: String

        static func < (a: Self, b: Self) -> Bool { (a.route, a.method) < (b.route, b.method) }
    }

    struct Totals: Sendable {
        var inFlight = 0
        /// By class of the status: `2xx`.
        var answers: [Request: [String: Int]] = [:]
        var durations: [Request: DurationHistogram] = [:]
        /// Answers 401.
        var unauthenticated = 0
        /// Answers 429.
        var limited = 0
        /// Of each lane.
        var pictures: [String: DurationHistogram] = [:]
        var refusedPictures: [String: Int] = [:]
        /// Waiting or being drawn.
        var waitingPictures: [String: Int] = [:]
    }

    private let counted = Mutex(Totals())

    var totals: Totals { counted.withLock { $0 } }

    func began() { counted.withLock { $0.inFlight += 1 } }

    /// - Parameter status: `nil` where no answer was possible, because the client was gone.
    func ended(_ request: Request, status: Int?, seconds: Double) {
        let group = status.map { "\($0 / 100)xx" } ?? "none"
        counted.withLock { totals in
            totals.inFlight -= 1
            totals.answers[request, default: [:]][group, default: 0] += 1
            totals.durations[request, default: DurationHistogram(DurationHistogram.requestBounds)].add(seconds)
            if status == 401 { totals.unauthenticated += 1 }
            if status == 429 { totals.limited += 1 }
        }
    }

    func pictureWaits(in lane: String, _ change: Int) {
        counted.withLock { $0.waitingPictures[lane, default: 0] += change }
    }

    func pictureRefused(in lane: String) { counted.withLock { $0.refusedPictures[lane, default: 0] += 1 } }

    func pictureDrawn(in lane: String, seconds: Double) {
        counted.withLock {
            $0.pictures[lane, default: DurationHistogram(DurationHistogram.requestBounds)].add(seconds)
        }
    }
}
