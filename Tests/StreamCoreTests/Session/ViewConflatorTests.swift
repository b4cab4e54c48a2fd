import StreamCore
import TestKit
import Testing

@Suite("Conflation of a view")
struct ViewConflatorTests {
    typealias Conflator = ViewConflator<Message>

    /// Message number `number` of its stream.
    struct Message: Equatable {
        var stream: Int
        var number: Int
        var kind: Conflator.Kind
    }

    struct Delivery: Equatable {
        var number: Int
        var skipped: Int
    }

    private func message(_ number: Int, _ kind: Conflator.Kind) -> Message {
        Message(stream: 0, number: number, kind: kind)
    }

    private func offer(_ kinds: [Conflator.Kind], to view: inout Conflator) {
        for (index, kind) in kinds.enumerated() {
            #expect(view.offer(message(index + 1, kind), kind: kind) == .fine)
        }
    }

    private func drain(_ view: inout Conflator, now: Double) -> [Delivery] {
        var delivered: [Delivery] = []
        view.drain(now: now) { element, _, skipped in
            delivered.append(Delivery(number: element.number, skipped: skipped))
        }
        return delivered
    }

    static let merges: [(String, [Conflator.Kind], [Delivery])] = [
        ("the latest tick wins", [.tick, .tick, .tick], [Delivery(number: 3, skipped: 2)]),
        (
            "ticks and forming candles are different kinds", [.tick, .forming, .tick],
            [Delivery(number: 2, skipped: 1), Delivery(number: 3, skipped: 0)]
        ),
        (
            "a final candle stays, in its place, and reports what was left out before it",
            [.tick, .ordered, .tick, .tick],
            [Delivery(number: 2, skipped: 1), Delivery(number: 4, skipped: 1)]
        ),
        (
            "a forming candle before a final one may be of the next bar and stays", [.forming, .ordered],
            [Delivery(number: 1, skipped: 0), Delivery(number: 2, skipped: 0)]
        ),
        (
            "a snapshot contains the ticks and forming candles before it, but not the final ones",
            [.tick, .forming, .ordered, .tick, .snapshot, .tick],
            [Delivery(number: 3, skipped: 2), Delivery(number: 5, skipped: 1), Delivery(number: 6, skipped: 0)]
        ),
        (
            "a status that is replaced is not counted", [.status, .tick, .status],
            [Delivery(number: 2, skipped: 0), Delivery(number: 3, skipped: 0)]
        ),
    ]

    @Test("what waits is merged by stream and kind", arguments: merges)
    func merging(name: String, kinds: [Conflator.Kind], expected: [Delivery]) {
        var view = Conflator(maxRate: 30)
        offer(kinds, to: &view)
        #expect(drain(&view, now: 0) == expected, Comment(rawValue: name))
    }

    @Test("the first update goes at once, the next ones at most 30 times a second")
    func rate() {
        var view = Conflator()
        var deliveries: [Double] = []
        var now = 100.0
        for number in 0..<10_000 {
            now += 0.001
            _ = view.offer(message(number, .tick), kind: .tick)
            if let deadline = view.deadline, deadline <= now, !drain(&view, now: now).isEmpty { deliveries.append(now) }
        }
        #expect(deliveries.first == 100.001)
        for (a, b) in zip(deliveries, deliveries.dropFirst()) { #expect(b - a >= 1 / 30.0) }
        // 10 seconds in steps of a millisecond: one delivery every 34 of them.
        #expect(deliveries.count == 10_000 / 34 + 1)
    }

    @Test("nothing is due where nothing waits, and a drained view waits for its interval")
    func deadlines() {
        var view = Conflator(maxRate: 10)
        #expect(view.deadline == nil)
        _ = view.offer(message(1, .tick), kind: .tick)
        #expect(view.deadline == -.infinity)
        #expect(drain(&view, now: 5) == [Delivery(number: 1, skipped: 0)])
        #expect(view.deadline == nil)
        _ = view.offer(message(2, .ordered), kind: .ordered)
        #expect(view.deadline == 5.1)
        #expect(drain(&view, now: 5.05).isEmpty)
        #expect(drain(&view, now: 5.1) == [Delivery(number: 2, skipped: 0)])
    }

    @Test("a reader of everything gets everything while it is not too late, and the latest beyond")
    func keeping() {
        var view = Conflator(maxRate: nil, keeping: 100)
        for number in 1...100 { _ = view.offer(message(number, .tick), kind: .tick) }
        #expect(drain(&view, now: 0) == (1...100).map { Delivery(number: $0, skipped: 0) })
        for number in 1...250 { _ = view.offer(message(number, .tick), kind: .tick) }
        let delivered = drain(&view, now: 0)
        #expect(delivered.reduce(0) { $0 + 1 + $1.skipped } == 250)
        #expect(delivered.last?.number == 250)
        #expect(delivered.count <= 165)
    }

    @Test("what a server left out is reported with the message that follows it")
    func reported() {
        var view = Conflator()
        _ = view.offer(message(1, .tick), kind: .tick)
        view.noteSkipped(17)
        _ = view.offer(message(2, .ordered), kind: .ordered)
        #expect(drain(&view, now: 0) == [Delivery(number: 1, skipped: 0), Delivery(number: 2, skipped: 17)])
        #expect(view.skippedTotal == 17)
    }

    @Test("final candles beyond the limit need a snapshot, which reports how much it replaces")
    func overflow() {
        var view = Conflator(limit: 10)
        for number in 1...10 { #expect(view.offer(message(number, .ordered), kind: .ordered) == .fine) }
        #expect(view.offer(message(11, .ordered), kind: .ordered) == .overflow)
        view.giveUp()
        #expect(view.waiting == 0)
        // A snapshot weighs what it holds, and one alone is never too heavy.
        #expect(view.offer(message(12, .snapshot), kind: .snapshot, weight: 300) == .fine)
        #expect(drain(&view, now: 0) == [Delivery(number: 12, skipped: 11)])
    }

    @Test(
        "in any run: order within a stream, nothing that counts lost, every other update counted, memory bounded",
        arguments: [1, 2, 3, 20_261_121] as [UInt64], [0, 32])
    func property(seed: UInt64, keeping: Int) {
        var generator = SeededGenerator(seed: seed)
        var view = Conflator(maxRate: 30, keeping: keeping, limit: 60)
        var now = 0.0
        var sent = [Int](repeating: 0, count: 4)
        var accounted = [Int](repeating: 0, count: 4)
        var owed = [[Message]](repeating: [], count: 4)
        var lastTake = -Double.infinity
        // The reader computes for a while now and then.
        var busyUntil = 0.0
        var snapshotsMade = 0

        func deliver(_ element: Message, _ stream: Int, _ skipped: Int) {
            #expect(element.stream == stream)
            // The count closes the hole exactly: this number follows the last one and what was left out.
            #expect(element.number == accounted[stream] + skipped + 1)
            accounted[stream] = element.number
            if element.kind == .ordered || element.kind == .snapshot {
                #expect(owed[stream].first == element)
                owed[stream].removeFirst()
            } else {
                #expect(owed[stream].allSatisfy { $0.number > element.number })
            }
        }

        func send(_ kind: Conflator.Kind, _ stream: Int) {
            sent[stream] += 1
            let element = Message(stream: stream, number: sent[stream], kind: kind)
            if kind == .ordered || kind == .snapshot { owed[stream].append(element) }
            guard view.offer(element, kind: kind, stream: stream) == .overflow else { return }
            view.giveUp()
            for stream in 0..<4 {
                owed[stream].removeAll()
                sent[stream] += 1
                let snapshot = Message(stream: stream, number: sent[stream], kind: .snapshot)
                owed[stream].append(snapshot)
                #expect(view.offer(snapshot, kind: .snapshot, stream: stream) == .fine)
            }
            snapshotsMade += 1
        }

        for _ in 0..<20_000 {
            now += Double.random(in: 0..<0.01, using: &generator)
            let stream = Int.random(in: 0..<4, using: &generator)
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<55: send(.tick, stream)
            case 55..<80: send(.forming, stream)
            case 80..<90: send(.ordered, stream)
            case 90: send(.snapshot, stream)
            case 91..<94:
                // The server left some out and said so.
                let count = Int.random(in: 1...5, using: &generator)
                sent[stream] += count
                view.noteSkipped(count, stream: stream)
            default:
                guard let deadline = view.deadline, deadline <= now, now >= busyUntil else { continue }
                if Int.random(in: 0..<20, using: &generator) == 0 { busyUntil = now + 5 }
                #expect(now - lastTake >= 1 / 30.0 - 1e-9)
                lastTake = now
                view.drain(now: now, deliver)
                for stream in 0..<4 { #expect(owed[stream].isEmpty) }
            }
            #expect(view.waiting <= 60 + 64 + keeping + 16)
        }
        for stream in 0..<4 { send(.tick, stream) }
        view.drain(now: now + 1, deliver)
        #expect(accounted == sent)
        #expect(view.waiting == 0)
        #expect(view.delivered + view.skippedTotal == sent.reduce(0, +))
        #expect(snapshotsMade > 0)
    }
}
