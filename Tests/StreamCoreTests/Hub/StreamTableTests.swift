import TestKit
import Testing

@testable import StreamCore

@Suite("A reader's streams without hashing")
struct StreamTableTests {
    @Test("it has what a dictionary has, in whatever order streams come, go and are looked up", arguments: 1...10)
    func asDictionary(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var table = StreamTable<Int>()
        var dictionary: [Int: Int] = [:]
        for step in 0..<2000 {
            let stream = Int.random(in: -3..<12, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: (table[stream], dictionary[stream]) = (step, step)
            case 1: (table[stream], dictionary[stream]) = (nil, nil)
            default:
                // As a reader's turn does it: one after another.
                for next in stream..<stream + 3 {
                    let index = table.index(of: next)
                    #expect(index.map { table.entries[$0].value } == dictionary[next])
                    if let index { table.entries[index].value += 1 }
                    dictionary[next]? += 1
                }
            }
            #expect(table[stream] == dictionary[stream])
        }
        #expect(table.entries.count == dictionary.count && Set(table.entries.map(\.stream)) == Set(dictionary.keys))
    }
}
