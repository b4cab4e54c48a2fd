import MarketModel
import Testing
import WebSocketTransport

@testable import CandlewireServer

@Suite("Token buckets")
struct BucketTableTests {
    private typealias Table = BucketTable<Int>
    private static let rate = Table.Rate(perSecond: 2, burst: 10)

    @Test("fill at their rate up to their size, and say how long to wait")
    func rates() {
        var table = Table(capacity: 10)
        let first = table.spend(4, of: 1, Self.rate, now: 0)
        #expect(first == .init(wait: nil, remaining: 6, reset: 2))
        #expect(table.spend(7, of: 1, Self.rate, now: 0).wait == 0.5)
        // What was refused took nothing.
        #expect(table.spend(7, of: 1, Self.rate, now: 0.5) == .init(wait: nil, remaining: 0, reset: 5))
        #expect(table.wait(for: 1, of: 1, Self.rate, now: 0.5) == 0.5)
        #expect(table.wait(for: 1, of: 1, Self.rate, now: 1) == nil)
        #expect(table.spend(10, of: 1, Self.rate, now: 1000).wait == nil)
        // A clock that went back gives nothing away.
        #expect(table.spend(1, of: 1, Self.rate, now: 0).wait != nil)
        #expect(table.spend(1, of: 2, Self.rate, now: 1000).wait == nil, "another key has its own")
    }

    @Test("a cost beyond the size is what a full bucket has")
    func largeCosts() {
        var table = Table(capacity: 10)
        #expect(table.spend(1e9, of: 1, Self.rate, now: 0).wait == nil)
        #expect(table.spend(1e9, of: 1, Self.rate, now: 1).wait == 4)
        #expect(table.spend(1e9, of: 1, Self.rate, now: 5).wait == nil)
    }

    @Test("any number of keys needs only so much memory, and the ones that spent most are remembered")
    func capacity() {
        var table = Table(capacity: 64)
        for _ in 0..<10 { _ = table.spend(1, of: -1, Self.rate, now: 0) }
        for key in 0..<10_000 {
            _ = table.spend(1, of: key, Self.rate, now: 0)
            #expect(table.count <= 64)
        }
        #expect(table.spend(1, of: -1, Self.rate, now: 0).wait != nil)
        // Later they are all full again, and one more key forgets them.
        _ = table.spend(1, of: 20_000, Self.rate, now: 100)
        for key in 20_001..<20_064 { _ = table.spend(1, of: key, Self.rate, now: 100) }
        _ = table.spend(1, of: 30_000, Self.rate, now: 200)
        #expect(table.count == 1)
    }

    @Test("over any time no more is spent than the size and the rate allow", arguments: 0..<20 as Range<UInt64>)
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = Table(capacity: 4)
        var (now, spent) = (0.0, 0.0)
        for _ in 0..<2000 {
            now += Double.random(in: 0...0.8, using: &random)
            let cost = Double.random(in: 0...3, using: &random)
            if table.spend(cost, of: 1, Self.rate, now: now).wait == nil { spent += cost }
            #expect(spent <= Self.rate.burst + Self.rate.perSecond * now + 1e-6)
        }
        #expect(spent >= Self.rate.perSecond * now * 0.9, "seed \(seed): what is there can be spent")
    }
}

@Suite("Wrong tokens")
struct LoginAttemptsTests {
    private static func address(_ text: String) throws -> ClientAddress {
        ClientAddress(IPAddress(text))
    }

    @Test("of one address are refused after twenty until a second later; other addresses are not affected")
    func throttles() throws {
        let (one, other) = (try Self.address("192.0.2.1"), try Self.address("192.0.2.2"))
        var attempts = LoginAttempts()
        for number in 0..<20 {
            #expect(attempts.wait(one, now: 0) == nil, "\(number)")
            _ = attempts.fail(one, now: 0)
        }
        #expect(attempts.wait(one, now: 0) == 1)
        #expect(attempts.wait(other, now: 0) == nil)
        #expect(attempts.wait(one, now: 1) == nil, "a right token is listened to again after a short time")
        #expect(attempts.wrong == 20 && attempts.refused == 1)
    }

    @Test("of one IPv6 network count together, and IPv4 through IPv6 as IPv4")
    func networks() throws {
        #expect(try Self.address("2001:db8::1") == Self.address("2001:db8::ffff:1"))
        #expect(try Self.address("2001:db8::1") != Self.address("2001:db8:0:1::1"))
        #expect(try Self.address("::ffff:192.0.2.1") == Self.address("192.0.2.1"))
        #expect(try Self.address("127.0.0.1").isLoopback && !Self.address("192.0.2.1").isLoopback)
    }

    @Test("are logged up to a rate, and the next line says how many were not")
    func logs() throws {
        var attempts = LoginAttempts()
        var logged = 0
        for number in 0..<1000 {
            let address = try Self.address("10.0.\(number / 250).\(number % 250 + 1)")
            if attempts.fail(address, now: 0) != nil { logged += 1 }
        }
        #expect(logged == 20)
        #expect(try attempts.fail(Self.address("192.0.2.1"), now: 1) == 980)
    }
}
