import TestKit
import Testing

@testable import MarketFeeds

@Suite("Bitfinex' channels")
struct BitfinexChannelsTests {
    @Test("each connection's numbers mean what was said on it last", arguments: 1...5)
    func model(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var connections = NumberedConnections()
        var model: [Int: [UInt64: Int]] = [:]
        for step in 0..<2000 {
            let connection = Int.random(in: 0..<3, using: &generator)
            let number = UInt64.random(in: 0..<40, using: &generator) * (.max / 40)
            let place = connections.place(of: connection)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<4:
                connections[place].open(number, .init(kind: .trades, slot: step))
                model[connection, default: [:]][number] = step
            case 4..<6:
                connections[place].close(number)
                model[connection]?[number] = nil
            case 6 where step % 20 == 0:
                connections.end(connection)
                model[connection] = nil
            default: break
            }
            for connection in 0..<3 {
                let channels = connections[connections.place(of: connection)]
                let known = (0..<40 as Range<UInt64>).map { channels[$0 * (.max / 40)]?.slot }
                #expect(known == (0..<40 as Range<UInt64>).map { model[connection]?[$0 * (.max / 40)] })
            }
        }
    }
}
