import NIOCore
import Testing

@testable import CandlewireServer

@Suite("Accepting without file descriptors")
struct AcceptBackoffTests {
    static func at(_ milliseconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .milliseconds(milliseconds) }

    @Test("the reserve lets a few connections in, and comes back when they end")
    func reserve() {
        var backoff = AcceptBackoff(reserve: 2)
        #expect(backoff.accepted() == (false, []))
        #expect(backoff.failed(now: Self.at(0)) == [.reportExhausted, .schedule, .releaseReserve])
        #expect(backoff.accepted() == (true, []))
        #expect(backoff.accepted() == (true, [.pause]))
        #expect(backoff.spareClosed() == [.refillReserve])
        #expect(backoff.refilled(false) == [.releaseReserve, .resume], "one more has room")
        #expect(backoff.accepted() == (true, [.pause]))
        #expect(backoff.spareClosed() == [.refillReserve])
        #expect(backoff.spareClosed() == [.refillReserve])
        #expect(backoff.refilled(true) == [.resume])
        #expect(backoff.accepted() == (false, []))
    }

    @Test("without a reserve it waits for the next tick, and never spins")
    func waiting() {
        var backoff = AcceptBackoff(reserve: 2)
        _ = backoff.failed(now: Self.at(0))
        for tick in 1...40 {
            #expect(backoff.failed(now: Self.at(Int64(tick) * 250)) == [.pause])
            #expect(backoff.tick(now: Self.at(Int64(tick) * 250)) == [.refillReserve, .schedule])
            #expect(backoff.refilled(false) == [.releaseReserve, .resume])
        }
    }

    @Test("a shortage is reported once, and its end when there were enough for a while")
    func reports() {
        var backoff = AcceptBackoff(reserve: 1)
        var reports: [AcceptBackoff.Action] = []
        func note(_ actions: [AcceptBackoff.Action]) {
            reports += actions.filter { $0 == .reportExhausted || $0 == .reportRecovered }
        }
        var time: Int64 = 0
        for _ in 0..<100 {
            note(backoff.failed(now: Self.at(time)))
            note(backoff.accepted().actions)
            note(backoff.spareClosed())
            note(backoff.refilled(true))
            time += 250
            note(backoff.tick(now: Self.at(time)))
        }
        #expect(reports == [.reportExhausted])
        #expect(backoff.tick(now: Self.at(time + 9_000)) == [.schedule])
        #expect(backoff.tick(now: Self.at(time + 10_000)) == [.reportRecovered])
        #expect(backoff.tick(now: Self.at(time + 10_250)) == [], "no timer without a shortage")
        note(backoff.failed(now: Self.at(time + 60_000)))
        #expect(reports == [.reportExhausted, .reportExhausted])
    }
}

private func == (_ left: (isSpare: Bool, actions: [AcceptBackoff.Action]), _ right: (Bool, [AcceptBackoff.Action]))
    -> Bool
{
    left.isSpare == right.0 && left.actions == right.1
}
