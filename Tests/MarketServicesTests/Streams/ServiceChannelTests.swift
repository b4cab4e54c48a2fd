import MarketServices
import Testing

@Suite("Service streams", .timeLimit(.minutes(15)))
struct ServiceChannelTests {
    struct Item: ServiceItem, Hashable {
        var id: Int
        var revision = 0
    }

    @Test("every listener gets the present value first, then each change")
    func severalListeners() async {
        let channel = ServiceChannel<Int>.values(1)
        var first = channel.stream.makeAsyncIterator()
        #expect(await first.next() == 1)
        channel.send(2)
        var second = channel.stream.makeAsyncIterator()
        #expect(await second.next() == 2)
        #expect(await first.next() == 2)
        channel.send(3)
        #expect(await first.next() == 3)
        #expect(await second.next() == 3)
        #expect(channel.listeners == 2)
    }

    @Test("a listener that waits gets the next value when it comes")
    func waits() async {
        let channel = ServiceChannel<Int>.values()
        let task = Task {
            var iterator = channel.stream.makeAsyncIterator()
            return await iterator.next()
        }
        while channel.listeners == 0 { await Task.yield() }
        channel.send(7)
        #expect(await task.value == 7)
    }

    @Test("of values a slow listener gets the newest and knows how many it missed")
    func conflates() async {
        let channel = ServiceChannel<Int>.values(0)
        var iterator = channel.stream.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        for value in 1...10 { channel.send(value) }
        #expect(await iterator.next() == 10)
        #expect(iterator.missed == 9)
        channel.send(11)
        #expect(await iterator.next() == 11)
        #expect(iterator.missed == 9)
    }

    @Test("of changes a listener gets each one, in order, as long as it is not further behind than the limit")
    func everyChange() async {
        let channel = ServiceChannel<ServiceUpdate<Item>>.changes([], limit: 100)
        var iterator = channel.stream.makeAsyncIterator()
        #expect(await iterator.next() == .snapshot([], missed: 0))
        for id in 1...100 { channel.send(Item(id: id), all: (1...id).map { Item(id: $0) }) }
        for id in 1...100 { #expect(await iterator.next() == .changed(Item(id: id))) }
        #expect(iterator.missed == 0)
    }

    @Test("one that is further behind gets all there is in their place, with how many changes that stands for")
    func tooSlow() async {
        let channel = ServiceChannel<ServiceUpdate<Item>>.changes([], limit: 3)
        var slow = channel.stream.makeAsyncIterator()
        var quick = channel.stream.makeAsyncIterator()
        #expect(await slow.next() == .snapshot([], missed: 0))
        #expect(await quick.next() == .snapshot([], missed: 0))
        for id in 1...6 {
            channel.send(Item(id: id), all: [Item(id: id)])
            #expect(await quick.next() == .changed(Item(id: id)))
        }
        #expect(await slow.next() == .snapshot([Item(id: 6)], missed: 6))
        #expect(slow.missed == 6)
        // From there on it is like any other.
        channel.send(Item(id: 7), all: [Item(id: 7)])
        #expect(await slow.next() == .changed(Item(id: 7)))
        #expect(quick.missed == 0)
    }

    @Test("what came before a listener's first look is in its snapshot, and not missed")
    func beginsLate() async {
        let channel = ServiceChannel<ServiceUpdate<Item>>.changes([], limit: 2)
        var iterator = channel.stream.makeAsyncIterator()
        for id in 1...5 { channel.send(Item(id: id), all: [Item(id: id)]) }
        #expect(await iterator.next() == .snapshot([Item(id: 5)], missed: 0))
        #expect(iterator.missed == 0)
    }

    @Test("finishing ends every listener, after what waits for it, and later ones at once")
    func finishes() async {
        let channel = ServiceChannel<ServiceUpdate<Item>>.changes([])
        var iterator = channel.stream.makeAsyncIterator()
        _ = await iterator.next()
        channel.send(Item(id: 1), all: [Item(id: 1)])
        let waiting = Task {
            var iterator = channel.stream.makeAsyncIterator()
            _ = await iterator.next()
            return await iterator.next()
        }
        while channel.listeners < 2 { await Task.yield() }
        channel.finish()
        #expect(await iterator.next() == .changed(Item(id: 1)))
        #expect(await iterator.next() == nil)
        #expect(await waiting.value == nil)
        channel.send(Item(id: 2), all: [Item(id: 2)])
        var late = channel.stream.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("a cancelled task gets the end, and a listener that is let go is forgotten")
    func leaves() async {
        let channel = ServiceChannel<Int>.values()
        let task = Task {
            for await _ in channel.stream {}
            return true
        }
        while channel.listeners == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value)
        while channel.listeners > 0 { await Task.yield() }
        for value in 0..<3 {
            channel.send(value)
            for await value in channel.stream {
                #expect(value >= 0)
                break
            }
        }
        while channel.listeners > 0 { await Task.yield() }
    }

    @Test("many senders and listeners: every listener sees everything once and in order")
    func concurrent() async {
        let channel = ServiceChannel<ServiceUpdate<Item>>.changes([], limit: 10_000)
        let count = 500
        let sums = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var seen: [Int] = []
                    for await update in channel.stream {
                        if case .changed(let item) = update { seen.append(item.id) }
                        if seen.count == count { break }
                    }
                    return seen
                }
            }
            while channel.listeners < 4 { await Task.yield() }
            // A listener that has not read yet would begin with a snapshot.
            channel.send(all: [])
            for _ in 0..<50 { await Task.yield() }
            for id in 0..<count { channel.send(Item(id: id), all: []) }
            channel.finish()
            var all: [[Int]] = []
            for await seen in group { all.append(seen) }
            return all
        }
        // One that began late has fewer, and none has them in another order or twice.
        for seen in sums { #expect(seen == Array(seen.sorted()) && Set(seen).count == seen.count) }
    }
}
