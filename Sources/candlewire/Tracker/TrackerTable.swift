import FinanceChartsKit
import MarketFeeds

/// The rows of the list, in columns that fit the terminal: where it is narrow the company goes first, then the change.
struct TrackerTable {
    private let board: StockBoard
    private let style: TerminalStyle
    private let columns: Int
    private let symbol: Int
    private let company: Int
    private let last: Int
    private let change: Int
    private let percent = 9

    init(_ board: StockBoard, columns: Int, style: TerminalStyle) {
        self.board = board
        self.style = style
        self.columns = columns
        symbol = min(max(board.stocks.map(\.symbol.count).max() ?? 0, 6), columns / 3)
        // Room for a price that has grown by a digit, so that nothing jumps when one does.
        let digits = zip(board.stocks, board.prices).map { stock, price in
            StockText(stock, price, hasUnicode: true).last.count + 1
        }
        last = min(max(digits.max() ?? 0, 9), 18)
        let fixed = 2 + symbol + 1 + last + 2 + 1 + percent
        change = fixed + last + 1 <= columns ? last : 0
        let rest = columns - fixed - (change > 0 ? change + 1 : 0) - 1
        company = rest >= 8 ? min(rest, 40) : 0
    }

    func head(on surface: Ink.Surface) -> String {
        var line = TerminalLine(columns: columns)
        line.add("  ", .dim)
        line.add("SYMBOL", .dim, field: symbol + 1)
        if company > 0 { line.add("COMPANY", .dim, field: company + 1) }
        line.add("LAST", .dim, field: last, isRight: true)
        line.add("  ", .dim)
        if change > 0 { line.add("CHANGE", .dim, field: change + 1, isRight: true) }
        line.add("%", .dim, field: percent + 1, isRight: true)
        return line.text(on: surface)
    }

    func row(_ stock: Int, isChosen: Bool, isFlashing: Bool, on surface: Ink.Surface) -> String {
        let text = StockText(board.stocks[stock], board.prices[stock], hasUnicode: style.hasUnicode)
        var line = TerminalLine(columns: columns)
        line.add(isChosen ? (style.hasUnicode ? "▸ " : "> ") : "  ", .strong)
        line.add(board.stocks[stock].symbol, isChosen ? .strong : .plain, field: symbol + 1)
        if company > 0 { line.add(board.stocks[stock].company, isChosen ? .strong : .dim, field: company + 1) }
        line.add(text.last, isFlashing ? .strong : .plain, field: last, isRight: true)
        line.add(" ", .plain)
        line.add(text.arrow, text.direction.ink)
        if change > 0 { line.add(text.change, text.trend.ink, field: change + 1, isRight: true) }
        line.add(text.percent, text.trend.ink, field: percent + 1, isRight: true)
        return line.text(on: surface)
    }
}
