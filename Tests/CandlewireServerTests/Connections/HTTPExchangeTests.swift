import NIOCore
import Testing

@testable import CandlewireServer

@Suite("Slow clients")
struct HTTPExchangeTests {
    static func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test(
        "each window needs its bytes, whatever came before",
        arguments: [
            // Bytes in all after 10, 20 and 30 s, and whether each is too slow, at 100 a second.
            ([1000, 2000, 3000], [false, false, false]), ([999, 1999, 2999], [true, false, false]),
            ([1_000_000, 1_000_000, 1_000_000], [false, true, true]), ([0, 0, 0], [true, true, true]),
            ([5000, 5999, 7000], [false, true, false]),
        ])
    func rate(bytes: [Int], isTooSlow: [Bool]) {
        var rate = MinimumRate(bytesPerSecond: 100, window: .seconds(10), now: Self.at(0))
        let found = bytes.enumerated().map { index, bytes in
            let isEarly = rate.isTooSlow(bytes, now: Self.at(Int64(index) * 10 + 5))
            #expect(!isEarly, "in the middle of a window")
            return rate.isTooSlow(bytes, now: Self.at(Int64(index) * 10 + 10))
        }
        #expect(found == isTooSlow)
    }

    static func exchange() -> HTTPExchange {
        let limits = HTTPExchange.Limits(bodyTime: .seconds(60), answerTime: .seconds(90), bytesPerSecond: 100)
        return HTTPExchange(limits: limits, now: at(0))
    }

    @Test("a body that drips is too slow after a window, one that never ends after its time")
    func bodies() {
        var dripping = Self.exchange()
        dripping.readHead(wire: 100, now: Self.at(0))
        for second in 1...9 {
            dripping.readBody(1)
            #expect(dripping.check(pending: 0, now: Self.at(Int64(second))) == nil)
        }
        #expect(dripping.check(pending: 0, now: Self.at(10)) == .slowBody)

        var endless = Self.exchange()
        endless.readHead(wire: 100, now: Self.at(0))
        for second in 1...60 {
            endless.readBody(1000)
            #expect(endless.check(pending: 0, now: Self.at(Int64(second))) == nil, "\(second)")
        }
        #expect(endless.check(pending: 0, now: Self.at(61)) == .slowBody)

        var complete = Self.exchange()
        complete.readHead(wire: 100, now: Self.at(0))
        complete.readEnd()
        #expect(complete.check(pending: 0, now: Self.at(10_000)) == nil, "the handler has its own time")
    }

    @Test("a later request's body has its time from the end of the answer before it")
    func pipelined() {
        var exchange = Self.exchange()
        exchange.readHead(wire: 0, now: Self.at(0))
        exchange.readEnd()
        exchange.readHead(wire: 0, now: Self.at(0))
        for second in 1...200 { #expect(exchange.check(pending: 0, now: Self.at(Int64(second))) == nil) }
        exchange.wroteEnd()
        #expect(exchange.check(pending: 0, now: Self.at(209)) == nil)
        #expect(exchange.check(pending: 0, now: Self.at(210)) == .slowBody)
    }

    @Test("an answer that nobody reads is given up, and one that is read too long")
    func answers() {
        var unread = Self.exchange()
        unread.wrote(1_000_000)
        #expect(unread.check(pending: 900_000, now: Self.at(1)) == nil)
        #expect(unread.check(pending: 900_000, now: Self.at(10)) == nil)
        #expect(unread.check(pending: 900_000, now: Self.at(11)) == .slowReader)

        var slow = Self.exchange()
        slow.wrote(1_000_000)
        for second in 1...91 {
            #expect(slow.check(pending: 900_000 - second * 1000, now: Self.at(Int64(second))) == nil, "\(second)")
        }
        #expect(slow.check(pending: 800_000, now: Self.at(92)) == .slowReader)

        var quick = Self.exchange()
        for second in 0..<1000 {
            quick.wrote(100_000)
            #expect(quick.check(pending: second % 2 * 1000, now: Self.at(Int64(second))) == nil, "each is read in time")
        }
    }

    @Test(
        "framing may not outgrow the content",
        arguments: [
            // Bytes on the wire behind the head, bytes of body.
            (16 << 10, 0, false), (16 << 10 + 1, 0, true), (600_000, 100_000, false), (1_000_000, 100_000, true),
        ])
    func framing(wire: Int, content: Int, isExcessive: Bool) {
        var exchange = Self.exchange()
        exchange.readHead(wire: 500, now: Self.at(0))
        exchange.readBody(content)
        #expect(exchange.hasExcessiveFraming(wire: 500 + wire) == isExcessive)
        exchange.readEnd()
        #expect(!exchange.hasExcessiveFraming(wire: 500 + wire))
    }

    @Test("an answer before the end of its request is early, also behind others")
    func early() {
        var exchange = Self.exchange()
        #expect(!exchange.answersEarly, "an answer to no request")
        exchange.readHead(wire: 0, now: Self.at(0))
        #expect(exchange.answersEarly)
        exchange.readEnd()
        #expect(!exchange.answersEarly)
        exchange.readHead(wire: 0, now: Self.at(0))
        #expect(!exchange.answersEarly, "the first is complete")
        exchange.wroteEnd()
        #expect(exchange.answersEarly)
    }
}
