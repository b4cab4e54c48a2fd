extension AccountState {
    /// Makes the next entry part of the state. Throws where it does not follow from what is there, and changes nothing then.
    public mutating func apply(_ entry: LedgerEntry<Mode>) throws(LedgerError) {
        guard entry.account == id else { throw .otherAccount(entry.account.description) }
        guard entry.sequence == sequence + 1 else { throw .sequence(expected: sequence + 1, found: entry.sequence) }
        if case .accountOpened = entry.event {
            guard sequence == 0 else { throw .opening }
        } else if sequence == 0 {
            throw .opening
        }
        switch entry.event {
        case .accountOpened(let capital): try open(capital, entry)
        case .deposited(let money): try deposit(money, entry)
        case .orderAccepted(let order): try create(order, .accept, entry)
        case .orderRejected(let order):
            if orders[order.id.number] == nil {
                try create(order, .reject, entry)
            } else {
                try change(order, .reject, entry)
            }
        case .orderAmended(let order): try change(order, .amend, entry)
        case .orderTriggered(let order): try change(order, .trigger, entry)
        case .trailMoved(let order): try change(order, .trail, entry)
        case .orderFilled(let fill, let order): try self.fill(fill, order, entry)
        case .orderCancelled(let order): try change(order, .cancel, entry)
        case .orderExpired(let order): try change(order, .expire, entry)
        case .leverageChanged(let symbol, let leverage): try setLeverage(symbol, leverage, entry)
        case .liquidationWarned(let call): try setWarned(true, call, entry)
        case .marginRestored(let call): try setWarned(false, call, entry)
        case .liquidated(let call): try liquidate(call, entry)
        case .accountReset(let capital): try reset(capital, entry)
        }
        sequence = entry.sequence
        updatedAt = entry.time
    }

    /// Runs a calculation whose amounts may leave the range.
    func ranged<T>(
        _ entry: LedgerEntry<Mode>, _ body: () throws(DecimalError) -> T
    ) throws(LedgerError) -> T {
        do throws(DecimalError) { return try body() } catch { throw .outOfRange(sequence: entry.sequence) }
    }

    func require(
        _ condition: Bool, _ entry: LedgerEntry<Mode>, _ message: @autoclosure () -> String
    ) throws(LedgerError) {
        if !condition { throw .inconsistent(sequence: entry.sequence, message()) }
    }
}
