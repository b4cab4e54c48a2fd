/// What one holding adds to its currency's ``Valuation``.
struct HoldingWorth: Sendable {
    var unrealized = ExactDecimal.zero
    var usedMargin = ExactDecimal.zero
    var maintenance = ExactDecimal.zero
    var held = ExactDecimal.zero
    var hasPosition = false

    /// Without what is held for orders.
    init(position holding: Holding, mark: ExactDecimal, settings: PaperSettings) throws(DecimalError) {
        guard holding.hasPosition else { return }
        unrealized = try holding.unrealized(mark: mark)
        usedMargin = try holding.margin()
        maintenance = try holding.maintenance(mark: mark, rate: settings.maintenanceRate)
        hasPosition = true
    }

    init() {}

    /// Whether sums of thousands of these stay within the range of decimals.
    var isSummable: Bool {
        unrealized.magnitude < Self.greatest && usedMargin < Self.greatest && maintenance < Self.greatest
            && held < Self.greatest
    }

    private static let greatest = ExactDecimal("1e18")!
}

extension Holding {
    /// What waiting orders hold here, the fees they may cost included.
    func heldForOrders(fees: FeeModel) throws(DecimalError) -> ExactDecimal {
        buys.count + sells.count > 0 ? try held(fees: fees) : .zero
    }
}

extension Valuation {
    mutating func add(_ worth: HoldingWorth) throws(DecimalError) {
        try unrealized += worth.unrealized
        try usedMargin += worth.usedMargin
        try maintenance += worth.maintenance
        try held += worth.held
        if worth.hasPosition { positions += 1 }
    }

    /// Takes one of the summands for another. Exact: all of them are ``HoldingWorth/isSummable``.
    mutating func replace(_ old: HoldingWorth, with new: HoldingWorth) {
        unrealized = unrealized.moved(from: old.unrealized, to: new.unrealized)
        usedMargin = usedMargin.moved(from: old.usedMargin, to: new.usedMargin)
        maintenance = maintenance.moved(from: old.maintenance, to: new.maintenance)
        held = held.moved(from: old.held, to: new.held)
        positions += (new.hasPosition ? 1 : 0) - (old.hasPosition ? 1 : 0)
    }
}

extension ExactDecimal {
    fileprivate func moved(from old: ExactDecimal, to new: ExactDecimal) -> ExactDecimal {
        ExactDecimal(trusted: units &- old.units &+ new.units)
    }
}
