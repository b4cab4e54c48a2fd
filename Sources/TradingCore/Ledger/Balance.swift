/// An account's money in one currency as the ledger has it, without what open positions would bring.
///
/// `cash = capital + realized - fees + writtenOff`, to the last digit.
public struct Balance: Hashable, Sendable {
    /// What the account was opened with, and all deposits.
    public internal(set) var capital: ExactDecimal
    public internal(set) var cash: ExactDecimal
    public internal(set) var realized = ExactDecimal.zero
    public internal(set) var fees = ExactDecimal.zero
    public internal(set) var writtenOff = ExactDecimal.zero
    /// Whether the account was told that its positions are about to be closed.
    public internal(set) var isWarned = false

    init(capital: ExactDecimal) {
        self.capital = capital
        cash = capital
    }
}
