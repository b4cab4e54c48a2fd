/// An order as the account keeps it: never changed, only replaced, so that looking at it copies nothing.
final class OrderRecord<Mode: TradingMode>: Sendable {
    let order: Order<Mode>
    /// The index of its market's holding.
    let holding: Int

    init(_ order: Order<Mode>, holding: Int) {
        self.order = order
        self.holding = holding
    }
}

extension OrderRecord: Equatable {
    static func == (left: OrderRecord, right: OrderRecord) -> Bool {
        left === right || (left.holding == right.holding && left.order == right.order)
    }
}
