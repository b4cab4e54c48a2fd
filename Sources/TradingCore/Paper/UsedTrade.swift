internal import MarketModel

/// A trade as receipts name it. Two trades that agree in all of this cannot be told apart.
struct UsedTrade: Hashable, Sendable {
    var time: Double
    var price: ExactDecimal
    var volume: ExactDecimal

    init(time: Double, price: ExactDecimal, volume: ExactDecimal) {
        self.time = time
        self.price = price
        self.volume = volume
    }

    init(_ receipt: FillReceipt) {
        self.init(time: receipt.tradeTime, price: receipt.tradePrice, volume: receipt.tradeVolume)
    }
}

extension PaperExchange {
    /// Finds in the account's receipts what its fills took of which trade, for a feed that sends trades again after a
    /// restart: what was taken of them is gone.
    mutating func recallUsedTrades() {
        for fill in account.recentFills where fill.receipt.tradeUsed.isPositive {
            guard let index = account.holdingIndex[fill.symbol] else { continue }
            books[bookOfHolding[index]].recall(UsedTrade(fill.receipt), fill.receipt.tradeUsed)
            touch(bookOfHolding[index])
        }
        refresh()
    }
}

extension MarketBook {
    mutating func recall(_ trade: UsedTrade, _ quantity: ExactDecimal) {
        recalled[trade] = (try? (recalled[trade] ?? .zero) + quantity) ?? .greatest
        recalledUntil = max(recalledUntil, trade.time)
    }

    /// After a trade was recorded: it is a new one, or one that fills were made from before.
    mutating func recallUse() {
        if recalled.isEmpty { return }
        if tick.timestamp > recalledUntil {
            recalled = [:]
        } else if let price {
            used = recalled[UsedTrade(time: tick.timestamp, price: price, volume: volume)] ?? .zero
        }
    }
}
