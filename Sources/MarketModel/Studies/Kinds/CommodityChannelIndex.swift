/// CCI: the distance of the price from its mean, in units of its usual distance.
///
///     CCI = (p - SMA(p, n)) / (0.015 * D);   D = mean of |p - SMA| over the n prices;   p = (high + low + close) / 3
///
/// Without a unit, most values between -100 and 100; 0 where the price is its mean. From the n-th bar on. Source:
/// D. Lambert, "Commodity Channel Index", Commodities magazine (October 1980).
///
/// - Complexity: O(n) a bar: with the mean all n distances change.
struct CommodityChannelIndex: StudyMachine {
    private let length: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        length = settings.bars(0)
    }

    var reach: Int { length }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        guard tape.age(at) >= length - 1 else { return tape.set(0, at, .nan) }
        // From the newest price, so that equal prices have a distance of exactly 0 and not two roundings' quotient.
        let price = tape.price(at)
        let rows = (at - length + 1)...at
        var sum = 0.0
        for row in rows { sum += tape.price(row) - price }
        let mean = sum / Double(length)
        var distances = 0.0
        for row in rows { distances += (tape.price(row) - price - mean).magnitude }
        tape.set(0, at, mean == 0 ? 0 : -mean / (0.015 * (distances / Double(length))))
    }
}

extension StudyDescription {
    static let cci = StudyDescription(
        identifier: "cci", name: "CCI", title: "Commodity Channel Index", placement: .pane, source: .hlc3,
        parameters: [.bars("Period", 20)], outputs: [StudyOutput("CCI")], guides: [100, -100])
}
