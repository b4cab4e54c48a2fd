/// The whole state as bytes, so that a start need not replay what was long ago. What the ledger makes of the same entries is
/// equal to the last digit, and `candlewire verify` compares the two.
extension AccountState {
    private static var snapshotVersion: Int { 1 }

    /// - Parameter name: the name that a market is kept under.
    /// - Complexity: O(orders and fills that are known).
    package func snapshot(name: (String) -> String = { $0 }) -> [UInt8] {
        var sink = SnapshotWriter()
        sink.int(Self.snapshotVersion)
        sink.text(id.description)
        for number in [sequence, nextOrderNumber, nextFillNumber, firstOrderNumber, firstFillNumber] {
            sink.int(number)
        }
        sink.double(updatedAt)
        sink.double(beganAt)
        sink.bool(isDeleted)
        sink.list(balances.sorted { $0.key < $1.key }) { sink, entry in
            sink.word(entry.key)
            entry.value.write(into: &sink)
        }
        sink.list(holdings) { $1.write(into: &$0, name) }
        sink.list(orders.all) { sink, record in
            sink.int(record.holding)
            record.order.write(into: &sink, name)
        }
        sink.list(done) { $0.int($1) }
        sink.list(requests.sorted { $0.key < $1.key }) { sink, entry in
            sink.int(entry.key)
            entry.value.write(into: &sink, name)
        }
        sink.list(recentFills) { $1.write(into: &$0, name) }
        return sink.bytes
    }

    /// - Parameter name: what a market of that name is called.
    package init(snapshot bytes: [UInt8], name: (String) -> String = { $0 }) throws(SnapshotError) {
        var source = SnapshotReader(bytes)
        guard try source.int() == Self.snapshotVersion else { throw .otherVersion }
        let text = try source.text()
        guard let account = try? AccountID<Mode>(text) else { throw .malformed }
        self.init(id: account)
        sequence = try source.int()
        nextOrderNumber = try source.int()
        nextFillNumber = try source.int()
        firstOrderNumber = try source.int()
        firstFillNumber = try source.int()
        updatedAt = try source.double()
        beganAt = try source.double()
        isDeleted = try source.bool()
        let kept = try source.list { source throws(SnapshotError) in (try source.word(), try Balance(from: &source)) }
        for (currency, balance) in kept { balances[currency] = balance }
        holdings = try source.list { source throws(SnapshotError) in try Holding(from: &source, name) }
        for (index, holding) in holdings.enumerated() { holdingIndex[holding.symbol] = index }
        active = holdings.map { _ in [] }
        let records = try source.list { source throws(SnapshotError) in
            let holding = try source.int()
            return OrderRecord(order: try Order<Mode>(from: &source, account, name), holding: holding)
        }
        for record in records { try insert(record) }
        done = try source.list { source throws(SnapshotError) in try source.int() }
        let changed = try source.list { source throws(SnapshotError) in
            (try source.int(), try OrderRequest(from: &source, name))
        }
        for (number, request) in changed { requests[number] = request }
        recentFills = try source.list { source throws(SnapshotError) in try Fill<Mode>(from: &source, account, name) }
        guard source.isAtEnd, done.allSatisfy({ orders[$0] != nil }) else { throw .malformed }
    }

    /// Orders come with ascending numbers.
    private mutating func insert(_ record: OrderRecord<Mode>) throws(SnapshotError) {
        let order = record.order
        guard holdings.indices.contains(record.holding), orders[order.id.number] == nil else { throw .malformed }
        orders[order.id.number] = record
        clientOrders[order.clientOrderID] = order.id.number
        guard order.status.isActive else { return }
        active[record.holding].append(order.id.number)
        if let group = order.ocoGroup { groups[group, default: []].append(order.id.number) }
    }
}

extension NumberedTable {
    /// By number, ascending.
    fileprivate var all: [Value] { sortedNumbers.compactMap { self[$0] } }
}

extension Balance {
    fileprivate func write(into sink: inout SnapshotWriter) {
        for amount in [capital, cash, realized, fees, writtenOff] { sink.decimal(amount) }
        sink.bool(isWarned)
    }

    fileprivate init(from source: inout SnapshotReader) throws(SnapshotError) {
        capital = try source.decimal()
        cash = try source.decimal()
        realized = try source.decimal()
        fees = try source.decimal()
        writtenOff = try source.decimal()
        isWarned = try source.bool()
    }
}

extension Holding {
    fileprivate func write(into sink: inout SnapshotWriter, _ name: (String) -> String) {
        sink.word(name(symbol))
        sink.word(currency)
        sink.int(leverage)
        for amount in [size, cost, realized, lastPrice] { sink.decimal(amount) }
        sink.double(createdAt)
        sink.double(updatedAt)
        for exposure in [buys, sells] {
            sink.int(exposure.count)
            sink.decimal(exposure.quantity)
            sink.decimal(exposure.notional)
        }
    }

    fileprivate init(from source: inout SnapshotReader, _ name: (String) -> String) throws(SnapshotError) {
        self.init(symbol: name(try source.word()), currency: try source.word())
        leverage = try source.int()
        size = try source.decimal()
        cost = try source.decimal()
        realized = try source.decimal()
        lastPrice = try source.decimal()
        createdAt = try source.double()
        updatedAt = try source.double()
        buys = Exposure(count: try source.int(), quantity: try source.decimal(), notional: try source.decimal())
        sells = Exposure(count: try source.int(), quantity: try source.decimal(), notional: try source.decimal())
    }
}

extension OrderRequest {
    fileprivate func write(into sink: inout SnapshotWriter, _ name: (String) -> String) {
        sink.text(clientOrderID)
        sink.word(name(symbol))
        sink.word(side.rawValue)
        sink.word(type.rawValue)
        sink.word(timeInForce.rawValue)
        sink.decimal(quantity)
        sink.optional(limitPrice) { $0.decimal($1) }
        sink.optional(stopPrice) { $0.decimal($1) }
        sink.optional(trail) { sink, trail in
            switch trail {
            case .amount(let amount):
                sink.bool(true)
                sink.decimal(amount)
            case .percent(let percent):
                sink.bool(false)
                sink.decimal(percent)
            }
        }
        sink.bool(postOnly)
        sink.bool(reduceOnly)
        sink.optional(leverage) { $0.int($1) }
        sink.optional(takeProfit) { $0.decimal($1) }
        sink.optional(stopLoss) { $0.decimal($1) }
        sink.optional(ocoGroup) { $0.text($1) }
    }

    fileprivate init(from source: inout SnapshotReader, _ name: (String) -> String) throws(SnapshotError) {
        self.init(
            clientOrderID: try source.text(), symbol: name(try source.word()), side: Side(rawValue: try source.word()),
            type: OrderType(rawValue: try source.word()), timeInForce: TimeInForce(rawValue: try source.word()),
            quantity: try source.decimal())
        limitPrice = try source.optionalDecimal()
        stopPrice = try source.optionalDecimal()
        trail = try source.optional { source throws(SnapshotError) in
            try source.bool() ? .amount(try source.decimal()) : .percent(try source.decimal())
        }
        postOnly = try source.bool()
        reduceOnly = try source.bool()
        leverage = try source.optional { source throws(SnapshotError) in try source.int() }
        takeProfit = try source.optionalDecimal()
        stopLoss = try source.optionalDecimal()
        ocoGroup = try source.optional { source throws(SnapshotError) in try source.text() }
    }
}

extension SnapshotReader {
    fileprivate mutating func optionalDecimal() throws(SnapshotError) -> ExactDecimal? {
        try optional { source throws(SnapshotError) in try source.decimal() }
    }
}

extension Order {
    fileprivate func write(into sink: inout SnapshotWriter, _ name: (String) -> String) {
        sink.int(id.number)
        OrderRequest(self).write(into: &sink, name)
        sink.word(currency)
        sink.word(status.rawValue)
        sink.decimal(filledQuantity)
        sink.optional(averageFillPrice) { $0.decimal($1) }
        sink.optional(parent) { $0.int($1.number) }
        sink.optional(reason) { $0.word($1) }
        sink.double(createdAt)
        sink.double(updatedAt)
        sink.int(version)
        sink.bool(isTriggered)
        sink.decimal(referencePrice)
        sink.decimal(filledCost)
    }

    fileprivate init(
        from source: inout SnapshotReader, _ account: AccountID<Mode>, _ name: (String) -> String
    ) throws(SnapshotError) {
        let number = try source.int()
        let request = try OrderRequest(from: &source, name)
        let (currency, status) = (try source.word(), OrderStatus(rawValue: try source.word()))
        var fields = OrderFields<Mode>(
            id: OrderID(account: account, number: number), request: request, currency: currency, status: status,
            referencePrice: .zero, time: 0, parent: nil, reason: nil)
        fields.filledQuantity = try source.decimal()
        fields.averageFillPrice = try source.optionalDecimal()
        fields.parent = try source.optional { source throws(SnapshotError) in
            OrderID(account: account, number: try source.int())
        }
        fields.reason = try source.optional { source throws(SnapshotError) in try source.word() }
        fields.createdAt = try source.double()
        fields.updatedAt = try source.double()
        fields.version = try source.int()
        fields.isTriggered = try source.bool()
        fields.referencePrice = try source.decimal()
        fields.filledCost = try source.decimal()
        self.init(fields)
    }
}

extension Fill {
    fileprivate func write(into sink: inout SnapshotWriter, _ name: (String) -> String) {
        sink.int(id.number)
        sink.int(orderID.number)
        sink.word(name(symbol))
        sink.word(side.rawValue)
        sink.decimal(price)
        sink.decimal(quantity)
        sink.word(fee.currency)
        sink.decimal(fee.amount)
        sink.word(liquidity.rawValue)
        sink.word(realizedPnL.currency)
        sink.decimal(realizedPnL.amount)
        sink.double(time)
        sink.word(receipt.model)
        sink.word(receipt.rule)
        for amount in [receipt.tradePrice, receipt.tradeVolume, receipt.tradeUsed, receipt.slippage] {
            sink.decimal(amount)
        }
        sink.double(receipt.tradeTime)
        sink.double(receipt.latency)
    }

    fileprivate init(
        from source: inout SnapshotReader, _ account: AccountID<Mode>, _ name: (String) -> String
    ) throws(SnapshotError) {
        let (number, order) = (try source.int(), try source.int())
        let (symbol, side) = (name(try source.word()), Side(rawValue: try source.word()))
        let (price, quantity) = (try source.decimal(), try source.decimal())
        let feeCurrency = try source.word()
        let fee = Money(try source.decimal(), feeCurrency)
        let liquidity = Liquidity(rawValue: try source.word())
        let currency = try source.word()
        let realized = Money(try source.decimal(), currency)
        let time = try source.double()
        let (model, rule) = (try source.word(), try source.word())
        let (tradePrice, volume) = (try source.decimal(), try source.decimal())
        let (used, slippage) = (try source.decimal(), try source.decimal())
        self.init(
            id: FillID(account: account, number: number), orderID: OrderID(account: account, number: order),
            symbol: symbol, side: side, price: price, quantity: quantity, fee: fee, liquidity: liquidity,
            realizedPnL: realized, time: time,
            receipt: FillReceipt(
                model: model, tradePrice: tradePrice, tradeVolume: volume, tradeTime: try source.double(),
                tradeUsed: used, slippage: slippage, latency: try source.double(), rule: rule))
    }
}
