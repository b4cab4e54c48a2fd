import ChartScene
import TestKit
import Testing

@Suite("Price alerts")
struct PriceAlertTests {
    struct Story: Sendable {
        let direction: PriceAlert.Direction
        let prices: [Double]
        /// The position of the price that fires; `nil` where none does.
        let fires: Int?
    }

    static let stories: [Story] = [
        .init(direction: .either, prices: [99, 99.5, 101, 99], fires: 2),
        .init(direction: .either, prices: [101, 100.5, 99], fires: 2),
        .init(direction: .up, prices: [101, 99, 98, 102], fires: 3),
        .init(direction: .down, prices: [99, 101, 102, 98], fires: 3),
        // Coming to the price is crossing it; the first price is on a side or on none.
        .init(direction: .up, prices: [99, 100], fires: 1),
        .init(direction: .down, prices: [101, 100], fires: 1),
        .init(direction: .either, prices: [100, 101, 100.5], fires: nil),
        .init(direction: .either, prices: [100, 101, 99], fires: 2),
        .init(direction: .down, prices: [99, 100, 99, 98], fires: nil),
        .init(direction: .up, prices: [99, .nan, .infinity, 101], fires: 3),
        .init(direction: .either, prices: [], fires: nil),
    ]

    @Test("an alert fires when the last price crosses it, once", arguments: stories)
    func table(_ story: Story) {
        var alert = PriceAlert(id: 1, price: 100, direction: story.direction)
        var fired: [Int] = []
        for (index, price) in story.prices.enumerated() where alert.update(last: price) { fired.append(index) }
        #expect(fired == (story.fires.map { [$0] } ?? []))
        #expect(alert.isFired == (story.fires != nil))
    }

    @Test("it fires again only after it was rearmed")
    func rearm() {
        var objects = ChartObjects()
        objects.set(PriceAlert(id: 7, price: 100))
        var fired: [[Int]] = []
        for price in [99.0, 101, 99, 101] { fired.append(objects.updateAlerts(last: price)) }
        #expect(fired == [[], [7], [], []])
        objects.rearmAlert(7)
        fired = []
        for price in [101.0, 99] { fired.append(objects.updateAlerts(last: price)) }
        #expect(fired == [[], [7]])
    }

    @Test("of a random walk the first price on the other side fires, and no other one")
    func walk() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<200 {
            var alert = PriceAlert(id: 1, price: 100)
            var prices = [100 + (random.unit() - 0.5) * 4]
            for _ in 0..<50 { prices.append(prices[prices.count - 1] + (random.unit() - 0.5) * 2) }
            let expected = prices.firstIndex { ($0 > 100) != (prices[0] > 100) }
            var fired: [Int] = []
            for (index, price) in prices.enumerated() where alert.update(last: price) { fired.append(index) }
            #expect(fired == (expected.map { [$0] } ?? []))
        }
    }
}
