import MarketFeeds
import Testing

@Suite("Order of the list of stocks")
struct StockOrderTests {
    static func board(_ prices: [Double]) -> StockBoard {
        StockBoard(
            prices.enumerated().map { index, price in
                TrackedStock(symbol: "S\(9 - index)", company: "C", description: "", initialPrice: price)
            })
    }

    static func update(_ order: inout StockOrder, _ board: StockBoard, now: Double) -> Bool {
        order.update(board, now: now)
    }

    static func set(_ stock: Int, _ delta: Double, _ board: inout StockBoard) {
        let text = #"{"symbol":"\#(board.stocks[stock].symbol)","delta_price":\#(delta)}"#
        _ = Array(text.utf8).withUnsafeBytes { board.receive($0, now: 0, wallClock: 0) }
    }

    @Test("by current price, highest first; equal prices keep their places")
    func byPrice() {
        var board = Self.board([10, 30, 20, 30])
        var order = StockOrder(count: 4, cadence: 2)
        #expect(Self.update(&order, board, now: 0))
        #expect(order.stocks == [1, 3, 2, 0])
        Self.set(2, 10, &board)
        #expect(!Self.update(&order, board, now: 2), "the third is as dear as two others now, and stays behind them")
        Self.set(0, 21, &board)
        #expect(Self.update(&order, board, now: 4))
        #expect(order.stocks == [0, 1, 3, 2])
    }

    @Test("the order changes on a cadence, not with each price, and not while the list is held")
    func cadence() {
        var board = Self.board([10, 20, 30])
        var order = StockOrder(count: 3, cadence: 2)
        #expect(Self.update(&order, board, now: 0))
        #expect(order.stocks == [2, 1, 0])
        Self.set(0, 90, &board)
        #expect(!Self.update(&order, board, now: 1.99))
        order.isHeld = true
        #expect(!Self.update(&order, board, now: 2))
        #expect(!Self.update(&order, board, now: 100))
        #expect(order.stocks == [2, 1, 0])
        order.isHeld = false
        #expect(Self.update(&order, board, now: 101))
        #expect(order.stocks == [0, 2, 1])
    }

    @Test("another key is obeyed at once, even while the list is held")
    func keys() {
        var board = Self.board([10, 20, 30])
        var order = StockOrder(count: 3, cadence: 2)
        _ = Self.update(&order, board, now: 0)
        order.isHeld = true
        order.key = .symbol
        #expect(!Self.update(&order, board, now: 0.1), "S7, S8, S9 is the order of the prices, too")
        Self.set(1, 19, &board)
        order.key = .change
        #expect(Self.update(&order, board, now: 0.2))
        #expect(order.stocks == [1, 2, 0])
        order.key = .symbol
        #expect(Self.update(&order, board, now: 0.3))
        #expect(order.stocks == [2, 1, 0])
    }
}
