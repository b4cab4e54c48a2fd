internal import MarketModel

/// How far each market may move before anybody has to look at the margin again.
///
/// Each position gets a band of prices around its market's, inside which it can lose no more than its share of what is left
/// above the warning. Where a market is inside its band now it can still lose twice that, from one edge to the other; so the
/// shares together are a quarter of what is left, and they stay good until more than half of that is gone. Computed in
/// doubles, with a thousandth to spare: outside its band a tick is looked at exactly.
extension PaperExchange {
    /// A market's band has to be found again: its position changed, or its price left it.
    mutating func noteBand(_ book: Int) {
        if books[book].isUnbanded { return }
        books[book].isUnbanded = true
        purses[books[book].purse].unbanded.append(book)
    }

    mutating func findBands(_ purse: Int, _ value: Valuation, _ equity: ExactDecimal) {
        let isWarned = account.balances[purses[purse].currency]?.isWarned ?? false
        let factor = settings.warningFactor.approximateDouble
        let slack = equity.approximateDouble - value.maintenance.approximateDouble * factor
        let isAlert = isWarned || slack <= 0
        if isAlert == purses[purse].isAlert, slack <= 4 * purses[purse].slack || isAlert || value.positions == 0 {
            moveBands(purse)
            if isAlert || 2 * purses[purse].shared <= 0.999 * slack { return }
        }
        purses[purse].isAlert = isAlert
        purses[purse].slack = slack
        purses[purse].share = 0.999 * max(0, slack) / Double(4 * max(1, value.positions))
        purses[purse].shared = 0
        for book in books.indices where books[book].purse == purse {
            books[book].bandShare = 0
            noteBand(book)
        }
        moveBands(purse)
    }

    /// Puts the bands that are out of date around the markets' prices.
    private mutating func moveBands(_ purse: Int) {
        let slope = 1 + settings.warningFactor.approximateDouble * settings.maintenanceRate.approximateDouble
        while let book = purses[purse].unbanded.popLast() {
            books[book].isUnbanded = false
            work.bands &+= 1
            purses[purse].shared -= books[book].bandShare
            books[book].bandShare = 0
            touch(book)
            guard let index = books[book].holding, account.holdings[index].hasPosition else {
                books[book].marginBand = (-.infinity, .infinity)
                continue
            }
            if purses[purse].isAlert {
                books[book].marginBand = (.infinity, -.infinity)
                continue
            }
            books[book].bandShare = purses[purse].share
            purses[purse].shared += purses[purse].share
            let mark =
                books[book].hasTrade ? books[book].tick.price : account.holdings[index].lastPrice.approximateDouble
            let move = purses[purse].share / (account.holdings[index].size.magnitude.approximateDouble * slope)
            books[book].marginBand = (mark - move, mark + move)
        }
    }
}
