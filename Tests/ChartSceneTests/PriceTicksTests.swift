import TestKit
import Testing

@testable import ChartScene

@Suite("Round prices on the axis")
struct PriceTicksTests {
    @Test(
        "steps are 1, 2, 2.5 or 5 times a power of ten, the smallest that leaves room",
        arguments: [
            (0.9, 2, 1.0), (1.0, 2, 1), (1.01, 2, 2), (2.1, 2, 2.5), (2.6, 2, 5), (5.1, 2, 10), (37, 2, 50),
            (0.003, 2, 0.01),  // never finer than a price's last digit
            (0.011, 2, 0.02), (0.021, 2, 0.05),  // 0.025 has a digit more than prices have
            (0.21, 2, 0.25), (1.1, 0, 2), (2.1, 0, 5), (21, 0, 25), (180_000, 2, 200_000),
            (0.000012, 8, 0.00002), (7e20, 2, 1e21),
        ])
    func step(smallest: Double, precision: Int, expected: Double) {
        let ticks = PriceTicks(low: 0, high: expected * 10, smallestStep: smallest, precision: precision)
        #expect(ticks.step == expected)
    }

    @Test("a tick is the nearest number to its decimal, not a sum of steps")
    func exactDecimals() {
        let ticks = PriceTicks(low: 0.05, high: 1, smallestStep: 0.1, precision: 2)
        #expect((0..<ticks.count).map { ticks[$0] } == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    }

    @Test("every tick lies in the range, and none is left out")
    func coverage() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let low = random.unit() * random.element([1e-4, 1, 1e3, 1e6])
            let high = low + random.unit() * random.element([1e-3, 1, 1e4])
            let ticks = PriceTicks(
                low: low, high: high, smallestStep: (high - low) / 15 + 1e-9, precision: Int(random.unit() * 9))
            for index in 0..<ticks.count { #expect(ticks[index] >= low && ticks[index] <= high) }
            if ticks.count > 0 {
                #expect(ticks[0] - ticks.step < low && ticks[ticks.count - 1] + ticks.step > high)
            }
            #expect(ticks.count <= 17)
        }
    }

    @Test(
        "a range without honest ticks has none",
        arguments: [
            (1.0, 0.0, 1.0), (.nan, 1, 1), (0, .infinity, 1), (0, 1, 0), (0, 1, -1), (0, 1, .nan), (1e300, 1.1e300, 1),
        ])
    func none(low: Double, high: Double, smallest: Double) {
        let ticks = PriceTicks(low: low, high: high, smallestStep: smallest, precision: 2)
        #expect(ticks.count == 0)
    }
}
