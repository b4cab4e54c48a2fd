import FinanceChartsKit
import Foundation
import MarketFeeds

/// What `candlewire tracker` shows: the list or one stock, which is chosen, and in what order. Pure: keys and prices go
/// in, lines of text come out.
struct TrackerView {
    enum Action { case nothing, repaint, startOrStop, quit }

    /// Seconds after a key for which the list stays as it is.
    private static let hold = 5.0

    private var snapshot: TrackerClient.Snapshot
    private var order: StockOrder
    private let style: TerminalStyle
    private let echo: String
    /// The chosen stock, by its number in the list that was read.
    private var chosen: Int
    private var showsDetail = false
    private var heldUntil = -Double.infinity
    /// The first row of the list that is shown.
    private var top = 0

    init(_ snapshot: TrackerClient.Snapshot, sort: StockOrder.Key, style: TerminalStyle, echo: String) {
        self.snapshot = snapshot
        self.style = style
        self.echo = echo
        order = StockOrder(count: snapshot.board.stocks.count, key: sort)
        _ = order.update(snapshot.board, now: snapshot.now)
        chosen = order.stocks.first ?? 0
    }

    var isRunning: Bool {
        switch snapshot.state {
        case .disconnected, .failed: false
        case .connecting, .connected, .reconnecting: true
        }
    }

    mutating func update(_ new: TrackerClient.Snapshot) {
        snapshot = new
        order.isHeld = showsDetail || new.now < heldUntil
        _ = order.update(new.board, now: new.now)
    }

    mutating func handle(_ key: TerminalKey) -> Action {
        switch key {
        case .character("q"), .character("Q"): return .quit
        case .character("s"), .character("S"): return .startOrStop
        case .character("o"), .character("O"):
            let keys = StockOrder.Key.allCases
            order.key = keys[((keys.firstIndex(of: order.key) ?? 0) + 1) % keys.count]
            _ = order.update(snapshot.board, now: snapshot.now)
        case .up, .character("p"): choose(by: -1)
        case .down, .character("n"): choose(by: 1)
        case .character("\r"), .character("\n"): showsDetail.toggle()
        case .left where showsDetail: showsDetail = false
        case .right where !showsDetail: showsDetail = true
        default: return .nothing
        }
        return .repaint
    }

    /// While the user chooses, nothing moves: what is below the cursor stays below it.
    private mutating func choose(by step: Int) {
        guard let row = order.stocks.firstIndex(of: chosen) else { return }
        chosen = order.stocks[min(max(row + step, 0), order.stocks.count - 1)]
        heldUntil = snapshot.now + Self.hold
        order.isHeld = true
    }

    // MARK: The picture

    mutating func lines(columns: Int, rows: Int) -> [String] {
        guard columns >= 24, rows >= 4 else { return [head(columns)] }
        let body = rows - 2
        let middle = showsDetail ? detail(columns, body) : list(columns, body)
        return [head(columns)] + middle + Array(repeating: "", count: body - middle.count) + [foot(columns)]
    }

    private var surface: Ink.Surface { Ink.Surface(hasColours: style.hasColours && style.hasEscapes) }

    private func head(_ columns: Int) -> String {
        let (text, ink): (String, Ink) =
            switch snapshot.state {
            case .connected: ("LIVE", .up)
            case .disconnected: ("STOPPED", .plain)
            case .connecting: ("CONNECTING", .plain)
            case .reconnecting: ("RECONNECTING", .down)
            case .failed(let why): ("FAILED: \(why)", .down)
            }
        var line = TerminalLine(columns: columns)
        line.add("TRACKER", .strong)
        line.add("  \(snapshot.connected) of \(snapshot.board.stocks.count) connected  ", .plain)
        line.add((style.hasUnicode ? "● " : "* ") + text, ink)
        return line.text(on: surface)
    }

    private func foot(_ columns: Int) -> String {
        var line = TerminalLine(columns: columns)
        let (keys, dot) = style.hasUnicode ? ("↑↓", " · ") : ("n/p", ", ")
        line.add("\(keys) " + (showsDetail ? "other stock\(dot)enter list" : "choose\(dot)enter detail"), .dim)
        line.add("\(dot)s \(isRunning ? "stop" : "start")", .dim)
        if !showsDetail { line.add("\(dot)o by \(order.key.rawValue)", .dim) }
        line.add("\(dot)q quit", .dim)
        let malformed = snapshot.board.counts.malformed
        if malformed > 0 { line.add("\(dot)\(malformed) bad messages", .down) }
        if columns >= 78 { line.add("\(dot)echo \(echo)", .dim) }
        return line.text(on: surface)
    }

    private mutating func list(_ columns: Int, _ rows: Int) -> [String] {
        let table = TrackerTable(snapshot.board, columns: columns, style: style)
        let visible = max(rows - 1, 1)
        let row = order.stocks.firstIndex(of: chosen) ?? 0
        top = min(max(top, row - visible + 1), row)
        top = max(0, min(top, order.stocks.count - visible))
        let shown = order.stocks.dropFirst(top).prefix(visible)
        return [table.head(on: surface)]
            + shown.map { stock in
                let isFlashing = snapshot.board.prices[stock].isFlashing(now: snapshot.now, for: 1)
                return table.row(stock, isChosen: stock == chosen, isFlashing: isFlashing, on: surface)
            }
    }

    private func detail(_ columns: Int, _ rows: Int) -> [String] {
        let (stock, price) = (snapshot.board.stocks[chosen], snapshot.board.prices[chosen])
        let text = StockText(stock, price, hasUnicode: style.hasUnicode)
        var lines = [""]
        func add(_ parts: (String, Ink)...) {
            var line = TerminalLine(columns: columns)
            line.add("  ", .plain)
            for (text, ink) in parts { line.add(text, ink) }
            lines.append(line.text(on: surface))
        }
        add((stock.symbol, .strong), ("  \(stock.company)", .plain))
        lines.append("")
        let isFlashing = price.isFlashing(now: snapshot.now, for: 1)
        add(("\(text.last) \(text.arrow)", isFlashing ? .mode : text.direction.ink))
        add(("\(text.change)  \(text.percent)", text.trend.ink), (" since \(stock.initialPrice)", .dim))
        add(("\(price.messages) prices came back", .dim))
        lines.append("")
        for piece in TerminalLine.wrap(stock.description, columns: columns - 4) { add((piece, .plain)) }
        return Array(lines.prefix(rows))
    }
}

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

/// A price as it is written: the same in the terminal and in lines of text.
struct StockText {
    let last: String
    let arrow: String
    let change: String
    let percent: String
    let direction: PriceDirection
    /// Which way the change since the beginning points.
    let trend: PriceDirection

    init(_ stock: TrackedStock, _ price: StockPrice, hasUnicode: Bool) {
        let decimals = stock.decimals
        last = Self.number(price.current, decimals)
        direction = price.direction
        arrow = Self.arrow(price.direction, hasUnicode: hasUnicode)
        let shown = Self.number(price.change.magnitude, decimals)
        // What is shown as zero is neither up nor down.
        let isZero = !shown.contains { ("1"..."9").contains($0) }
        trend = isZero ? .unchanged : price.change > 0 ? .up : .down
        let sign = trend == .up ? "+" : trend == .down ? "-" : ""
        change = sign + shown
        percent = price.changePercent.map { sign + Self.number($0.magnitude, 2) + "%" } ?? "-"
    }

    static func arrow(_ direction: PriceDirection, hasUnicode: Bool) -> String {
        hasUnicode ? direction.arrow : direction == .up ? "^" : direction == .down ? "v" : "="
    }

    private static func number(_ value: Double, _ decimals: Int) -> String { String(format: "%.\(decimals)f", value) }
}

extension PriceDirection {
    var ink: Ink { self == .up ? .up : self == .down ? .down : .plain }
}
