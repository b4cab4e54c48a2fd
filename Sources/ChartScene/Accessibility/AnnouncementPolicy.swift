/// Decides which news of live data a screen reader announces, and when. A pure machine: what happens and the time go in,
/// what to announce comes out; the words are the caller's.
///
/// Data that ticks can not be read out. So at most one sentence in `pause` seconds: alerts first, and of the rest the
/// latest, for old news of a market is none. Alerts that wait together are one sentence, so that none is lost.
///
/// ```swift
/// var policy = AnnouncementPolicy()
/// policy.barClosed()
/// policy.next(now: 0)  // .barClosed
/// policy.price(101)
/// policy.next(now: 3)  // nil: 5 seconds have not passed
/// ```
package struct AnnouncementPolicy: Sendable, Equatable {
    package enum News: UInt8, CaseIterable, Sendable {
        // Raw values are the boundary's numbers: append only.
        case barClosed
        /// The price moved by `threshold` since the last announcement.
        case move
        /// One alert or several.
        case alert
    }

    /// Seconds between two sentences.
    package static let pause = 5.0

    /// Whether bars and moves are announced too; alerts always are, for a person set them.
    package var isOn = true { didSet { if !isOn { waiting = nil } } }
    /// The share of a price that is a significant move: 0.005 is half a percent.
    package let threshold: Double

    /// The latest of what is not urgent.
    private var waiting: News?
    private var hasAlert = false
    private var saidAt: Double?
    private var last: Double?
    /// The price that moves are measured from: the last one that was announced, at first the first one.
    private var reference: Double?

    /// - Parameter threshold: above 0; otherwise no move is significant.
    package init(threshold: Double = 0.005) { self.threshold = threshold > 0 ? threshold : .infinity }

    /// A bar is complete.
    package mutating func barClosed() { if isOn { waiting = .barClosed } }

    /// The last price is now this one. A move that went back before it was announced is none.
    package mutating func price(_ price: Double) {
        guard price.isFinite, price > 0 else { return }
        last = price
        guard let reference else {
            self.reference = price
            return
        }
        if (price - reference).magnitude >= threshold * reference {
            if isOn { waiting = .move }
        } else if waiting == .move {
            waiting = nil
        }
    }

    /// An alert fired.
    package mutating func alertFired() { hasAlert = true }

    /// Another market or timeframe: its bars and moves begin again. Alerts wait on.
    package mutating func begin() {
        waiting = nil
        last = nil
        reference = nil
    }

    /// What to say now; `nil` where there is nothing, or where it is too early.
    package mutating func next(now: Double) -> News? {
        guard now >= deadline else { return nil }
        saidAt = now
        if hasAlert {
            hasAlert = false
            return .alert
        }
        let news = waiting
        waiting = nil
        // Every announcement includes the price.
        reference = last
        return news
    }

    /// When `next` has something to say; infinity while nothing waits.
    package var deadline: Double {
        guard hasAlert || waiting != nil else { return .infinity }
        return saidAt.map { $0 + AnnouncementPolicy.pause } ?? -.infinity
    }
}
