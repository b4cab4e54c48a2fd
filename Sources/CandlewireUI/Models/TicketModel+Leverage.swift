internal import MarketServices
internal import TradingCore

extension TicketModel {
    /// Follows the leverage that the account has in the market, until the task is cancelled.
    public func run() async {
        async let positions: Void = followPositions()
        async let orders: Void = followOrders()
        _ = await (positions, orders)
    }

    private func followPositions() async {
        for await positions in service.positionUpdates {
            position = positions.first { $0.symbol == symbol }
            updateHeldLeverage()
        }
    }

    private func followOrders() async {
        for await update in service.orderUpdates {
            orders.apply(update)
            updateHeldLeverage()
        }
    }

    private func updateHeldLeverage() {
        let waiting = orders.items.first { $0.symbol == symbol && $0.status.isActive && !$0.reduceOnly }
        let held = position?.leverage ?? waiting?.leverage
        guard held != heldLeverage else { return }
        let before = leverage
        heldLeverage = held
        if chosenLeverage == held ?? 1 { chosenLeverage = nil }
        if leverage != before { changed() }
    }

    /// What a menu of leverages has: usual ones, and the one that is chosen.
    public var leverageChoices: [Int] {
        Set([1, 2, 3, 5, 10, 20, 25, 50, 75, maxLeverage].filter { $0 <= maxLeverage } + [leverage]).sorted()
    }

    /// What the chosen leverage means for what the account has in the market; `nil`: nothing.
    public var leverageNotice: String? {
        guard let heldLeverage, heldLeverage != leverage, !isReduceOnly else { return nil }
        return localized(
            "Your position and orders in %@ change from %@× to %@× leverage.", symbol, "\(heldLeverage)", "\(leverage)")
    }
}
