import MarketModel
import Testing

@Suite("TickValidator")
struct TickValidatorTests {
    static let now = 1_700_000_000.0

    @Test(
        "each flaw has its own reason and counter",
        arguments: [
            (Tick(timestamp: now, price: .nan, volume: 1), TickRejection.notFinite),
            (Tick(timestamp: now, price: .infinity, volume: 1), .notFinite),
            (Tick(timestamp: now, price: 1, volume: .nan), .notFinite),
            (Tick(timestamp: .nan, price: 1, volume: 1), .notFinite),
            (Tick(timestamp: now, price: 0, volume: 1), .price),
            (Tick(timestamp: now, price: -1, volume: 1), .price),
            (Tick(timestamp: now, price: 1, volume: -0.1), .volume),
            (Tick(timestamp: 0, price: 1, volume: 1), .timestamp),
            (Tick(timestamp: -5, price: 1, volume: 1), .timestamp),
            (Tick(timestamp: now - 300, price: 1, volume: 1), .tooOld),
            (Tick(timestamp: now + 5.1, price: 1, volume: 1), .tooFarAhead),
        ])
    func rejects(tick: Tick, reason: TickRejection) {
        var validator = TickValidator()
        #expect(validator.check(tick, now: Self.now) == reason)
        #expect(validator.rejections[reason] == 1)
        #expect(validator.rejections.total == 1)
        #expect(validator.accepted == 0)
    }

    @Test("what is inside the limits passes", arguments: [-299.9, 0, 4.9])
    func accepts(age: Double) {
        var validator = TickValidator()
        #expect(validator.check(Tick(timestamp: Self.now + age, price: 1e-9, volume: 0), now: Self.now) == nil)
        #expect(validator.accepted == 1)
    }

    @Test("the limits are the caller's")
    func limits() {
        var validator = TickValidator(maxAge: 1, maxAhead: 0)
        #expect(validator.check(Tick(timestamp: Self.now - 2, price: 1, volume: 1), now: Self.now) == .tooOld)
        #expect(validator.check(Tick(timestamp: Self.now + 0.5, price: 1, volume: 1), now: Self.now) == .tooFarAhead)
    }
}
