/// What the exchange keeps about one currency, so that a fill costs the same however many markets there are.
///
/// The sums are those of the markets' ``MarketBook/worth``: exact decimals, so taking one summand off and adding the next
/// gives what adding them all anew would.
struct Purse: Sendable {
    let currency: String
    /// The account's, with each entry that changes it.
    var cash = ExactDecimal.zero

    /// Over all markets but those in ``outsized``, as they were when they were last looked at; without the cash.
    var sum = Valuation()
    /// Markets whose amounts are too large for the sums: while there are any, everything is added up anew.
    var outsized = 0
    /// Markets whose position or price has changed since it was added.
    var moved: [Int] = []
    /// Markets whose waiting orders have.
    var asked: [Int] = []
    /// Whether the margin has to be looked at again.
    var isUneasy = false

    /// What each market's margin band may lose, and all of them together.
    var share = 0.0
    var shared = 0.0
    /// What was left above the warning when ``share`` was found.
    var slack = 0.0
    /// Every price of a market with a position has to be looked at.
    var isAlert = false
    /// Markets whose band is out of date.
    var unbanded: [Int] = []

    init(currency: String) { self.currency = currency }
}
