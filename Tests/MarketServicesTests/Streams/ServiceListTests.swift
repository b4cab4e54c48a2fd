import MarketServices
import Testing

@Suite("Service lists", .timeLimit(.minutes(15)))
struct ServiceListTests {
    struct Item: ServiceItem, Hashable {
        var id: Int
        var revision = 0
        var isFinished = true
    }

    @Test("new items come first, newer revisions take their item's place, older ones change nothing")
    func forward() {
        var list = ServiceList<Item>()
        list.apply(.snapshot([Item(id: 2), Item(id: 1)], missed: 0))
        list.apply(.changed(Item(id: 3)))
        list.apply(.changed(Item(id: 1, revision: 5)))
        list.apply(.changed(Item(id: 1, revision: 4)))
        #expect(list.items == [Item(id: 3), Item(id: 2), Item(id: 1, revision: 5)])
        let isNew = list.place(Item(id: 3))
        #expect(!isNew)
        #expect(list[3] == Item(id: 3))
        #expect(list[4] == nil)
    }

    @Test("a snapshot replaces everything, but never takes an item back")
    func snapshot() {
        var list = ServiceList([Item(id: 1, revision: 3), Item(id: 9)])
        list.apply(.snapshot([Item(id: 2), Item(id: 1, revision: 2)], missed: 4))
        #expect(list.items == [Item(id: 2), Item(id: 1, revision: 3)])
    }

    @Test("of finished items the oldest go; the others stay")
    func bounded() {
        var list = ServiceList<Item>(limit: 3)
        list.place(Item(id: 0, isFinished: false))
        for id in 1...10 { list.place(Item(id: id)) }
        #expect(list.items.map(\.id) == [10, 9, 8, 0])
    }
}
