public import Foundation
public import MarketServices
public import Observation
public import TradingCore

/// An order that is being written: its fields, what is wrong with them, what it would cost, and its sending.
///
/// The service judges the order (`preview`); here is decided only what has to be a number at all. An order whose answer
/// was lost may have been placed: the ticket is locked then, and sends the same order with the same id again, which
/// places it once.
@MainActor
@Observable
public final class TicketModel<Mode: TradingMode> {
    public let symbol: String
    public let baseCurrency: String
    public let quoteCurrency: String

    public var side = Side.buy { didSet { changed() } }
    public var type = OrderType.market { didSet { changed() } }
    public var timeInForce = TimeInForce.gtc { didSet { changed() } }
    /// Of the market's position and waiting orders after this order, 1 to ``maxLeverage``. Until another one is chosen it
    /// is theirs, or 1; an order then names none.
    public var leverage: Int {
        get { chosenLeverage ?? heldLeverage ?? 1 }
        set {
            let value = min(max(1, newValue), maxLeverage)
            chosenLeverage = value == (heldLeverage ?? 1) ? nil : value
            changed()
        }
    }
    /// The highest that the service allows.
    public let maxLeverage: Int
    /// `nil`: that of the market's position and waiting orders, or 1, which is what the service makes of none.
    var chosenLeverage: Int?
    /// Of the market's position and waiting orders; `nil` where there are none.
    var heldLeverage: Int?
    public var isPostOnly = false { didSet { changed() } }
    public var isReduceOnly = false { didSet { changed() } }
    // As typed, in the locale's writing.
    public var quantity = "" { didSet { changed() } }
    public var limitPrice = "" { didSet { changed() } }
    public var stopPrice = "" { didSet { changed() } }
    /// In percent of the price.
    public var trail = "" { didSet { changed() } }
    public var takeProfit = "" { didSet { changed() } }
    public var stopLoss = "" { didSet { changed() } }

    /// What the service says of the order as it is now; `nil` where it has not said anything.
    public private(set) var preview: OrderPreview?
    /// Why the last attempt to send failed, or the preview was refused.
    public private(set) var refusal: String?
    public private(set) var isSending = false
    /// The order was sent, and no answer came.
    public private(set) var isUncertain = false
    public private(set) var placed: Order<Mode>?
    /// Why no order can be sent at all, such as a lost connection; `nil` where one can.
    public var blockReason: String?

    let service: any TradingServiceProtocol<Mode>
    private let clock: ServiceClock
    private let formats: Formats
    private let newID: @Sendable () -> String
    @ObservationIgnored var position: Position<Mode>?
    @ObservationIgnored var orders = ServiceList<Order<Mode>>()
    @ObservationIgnored private var unanswered: OrderRequest?
    @ObservationIgnored private var previewing: Task<Void, Never>?

    /// Seconds without a change before a preview is requested.
    static var pause: Double { 0.25 }

    /// - Parameters:
    ///   - maxLeverage: `nil`: the market's, else 100.
    ///   - newID: makes the client order id of each new order.
    public init(
        _ market: MarketInfo, _ service: any TradingServiceProtocol<Mode>, clock: ServiceClock = .system,
        formats: Formats = Formats(), maxLeverage: Int? = nil,
        newID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) {
        symbol = market.symbol
        baseCurrency = market.baseCurrency
        quoteCurrency = market.quoteCurrency
        self.service = service
        self.clock = clock
        self.formats = formats
        self.maxLeverage = max(1, maxLeverage ?? market.maxLeverage ?? PaperSettings().maxLeverage)
        self.newID = newID
        limitPrice = formats.price(market.price, precision: market.precision)
        stopPrice = limitPrice
        if market.price == nil { (limitPrice, stopPrice) = ("", "") }
    }

    deinit { previewing?.cancel() }

    // MARK: The fields

    public enum Field: String, Sendable, CaseIterable {
        case quantity, trail
        case limitPrice = "limit_price"
        case stopPrice = "stop_price"
        case takeProfit = "take_profit"
        case stopLoss = "stop_loss"

        public var words: String {
            switch self {
            case .quantity: localized("Quantity")
            case .limitPrice: localized("Limit price")
            case .stopPrice: localized("Stop price")
            case .trail: localized("Trail in percent")
            case .takeProfit: localized("Take profit")
            case .stopLoss: localized("Stop loss")
            }
        }
    }

    /// The fields that an order of this type has, in the order of the form.
    public var fields: [Field] {
        var fields = [Field.quantity]
        if type == .stop || type == .stopLimit { fields.append(.stopPrice) }
        if type.hasLimit { fields.append(.limitPrice) }
        if type == .trailingStop { fields.append(.trail) }
        return fields + [.takeProfit, .stopLoss]
    }

    public var allowsPostOnly: Bool { type.hasLimit }

    /// What is wrong with a field: it is no number, or the service refuses its value.
    public func problem(_ field: Field) -> String? {
        let text = text(field)
        if isEmpty(text) { return nil }
        guard let number = formats.number(text) else {
            return localized("Enter a number, for example %@.", formats.price(1234.5, precision: 2))
        }
        if !number.isPositive { return localized("Enter a number above 0.") }
        return preview?.problems.first { $0.field == field.rawValue }?.message
    }

    private func text(_ field: Field) -> String {
        switch field {
        case .quantity: quantity
        case .limitPrice: limitPrice
        case .stopPrice: stopPrice
        case .trail: trail
        case .takeProfit: takeProfit
        case .stopLoss: stopLoss
        }
    }

    private func isEmpty(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

    /// The order as it is, without an id; `nil` while something is missing or no number.
    private var draft: OrderRequest? {
        var numbers: [Field: ExactDecimal] = [:]
        for field in fields {
            let text = text(field)
            if isEmpty(text), field == .takeProfit || field == .stopLoss { continue }
            guard let number = formats.number(text), number.isPositive else { return nil }
            numbers[field] = number
        }
        guard let quantity = numbers[.quantity] else { return nil }
        return OrderRequest(
            clientOrderID: "", symbol: symbol, side: side, type: type, timeInForce: timeInForce, quantity: quantity,
            limitPrice: numbers[.limitPrice], stopPrice: numbers[.stopPrice],
            trail: numbers[.trail].map { .percent($0) }, postOnly: allowsPostOnly && isPostOnly,
            reduceOnly: isReduceOnly, leverage: chosenLeverage, takeProfit: numbers[.takeProfit],
            stopLoss: numbers[.stopLoss])
    }

    // MARK: What it would cost

    func changed() {
        guard !isUncertain else { return }
        (preview, refusal) = (nil, nil)
        previewing?.cancel()
        previewing = Task { [weak self, clock] in
            guard (try? await clock.sleep(clock.now() + Self.pause)) != nil else { return }
            await self?.requestPreview()
        }
    }

    private func requestPreview() async {
        guard var request = draft else { return }
        request.clientOrderID = newID()
        do throws(ServiceError) {
            let answer = try await service.preview(request)
            if !Task.isCancelled { preview = answer }
        } catch {
            // Where the request failed nothing is known, and that is no reason not to send it.
            if !Task.isCancelled, error.kind == .rejected { refusal = error.message }
        }
    }

    public var figures: [Figure] {
        guard let preview else { return [] }
        var figures = [
            Figure(localized("Cost"), formats.money(preview.cost, preview.currency)),
            Figure(localized("Margin"), formats.money(preview.margin, preview.currency)),
            Figure(localized("Fee"), formats.money(preview.fee, preview.currency)),
        ]
        guard preview.problems.isEmpty else { return figures }
        if let price = preview.liquidationPrice {
            figures.append(Figure(localized("Liquidation price"), formats.money(price, preview.currency)))
        }
        figures.append(Figure(localized("Available after"), formats.money(preview.availableAfter, preview.currency)))
        return figures
    }

    // MARK: Sending

    /// `Buy 0.25 BTC-USD`
    public var title: String {
        [side.words, formats.number(quantity).map { formats.exact($0) }, symbol].compactMap(\.self)
            .joined(separator: " ")
    }

    /// Why the order cannot be sent, as sentences; empty where it can, or while it is not complete.
    public var problems: [String] {
        if let blockReason { return [blockReason] }
        let named = Set(fields.map(\.rawValue))
        let others = preview?.problems.filter { $0.field.map { !named.contains($0) } ?? true }.map(\.message) ?? []
        return [refusal].compactMap(\.self) + others
    }

    public var canSend: Bool {
        guard blockReason == nil, !isSending else { return false }
        return isUncertain || draft != nil && preview?.problems.isEmpty != false
    }

    /// Sends the order, or the one without an answer again.
    public func send() async {
        guard canSend, var request = unanswered ?? draft else { return }
        if unanswered == nil { request.clientOrderID = newID() }
        isSending = true
        refusal = nil
        previewing?.cancel()
        defer { isSending = false }
        do throws(ServiceError) {
            placed = try await service.place(request)
            beginAnother()
        } catch {
            refusal = error.message
            isUncertain = error.mayHaveHappened
            unanswered = error.mayHaveHappened ? request : nil
        }
    }

    /// Unlocks the ticket without sending the order again. Whether it was placed, the list of orders shows.
    public func unlock() {
        (unanswered, isUncertain, refusal) = (nil, false, nil)
        changed()
    }

    /// What was meant for the last order alone is cleared, so that the next one does not carry it unseen.
    private func beginAnother() {
        (unanswered, isUncertain) = (nil, false)
        (takeProfit, stopLoss) = ("", "")
        isReduceOnly = false
    }
}
