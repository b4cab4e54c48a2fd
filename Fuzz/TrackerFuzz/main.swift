// libFuzzer entry for the price tracker: the input is what a peer says, a message a line, and a list of stocks as a whole.
//
// Beside not crashing: each message is applied or has a reason, prices stay above zero, what is written can be read, and a
// list is stocks that differ or an error that names the file.

import StreamCore

private let stocks = [
    TrackedStock(symbol: "AAPL", company: "Apple", description: "", initialPrice: 189.25),
    TrackedStock(symbol: "É\"\\", company: "Odd", description: "", initialPrice: 0.000001),
]

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count)
    var board = StockBoard(stocks)
    var now = 0.0
    for line in bytes.split(separator: 0x0A) {
        let message = UnsafeRawBufferPointer(rebasing: line)
        now += 1
        _ = board.receive(message, now: now, wallClock: 1_767_623_400 + now)
        let counts = board.counts
        precondition(counts.received == counts.applied + counts.malformed, "a message is lost")
        for price in board.prices { precondition(price.current > 0 && price.current.isFinite, "a price that is none") }
        check(message)
    }
    do throws(FeedError) {
        let list = try StockListReader(name: "stocks.json").read(Array(bytes))
        precondition(!list.isEmpty && Set(list.map(\.symbol)).count == list.count, "a stock twice")
        for stock in list {
            precondition(stock.initialPrice > 0 && stock.initialPrice.isFinite, "a price that is none")
        }
    } catch {
        precondition(error.description.contains("stocks.json"), "an error that names no file")
    }
    return 0
}

/// A delta that was read and is written again is the same.
private func check(_ message: UnsafeRawBufferPointer) {
    guard let read = try? StockMessage(message), case .delta(let delta) = read.value else { return }
    precondition(delta.isFinite, "a number that is none")
    let written = StockMessage.bytes(symbol: read.symbol, delta: delta)
    let again = written.withUnsafeBytes { try? StockMessage($0) }
    precondition(again == read, "what is written is read otherwise")
}
