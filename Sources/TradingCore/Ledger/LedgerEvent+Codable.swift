extension LedgerEvent: Codable {
    enum CodingKeys: String, CodingKey { case kind, capital, money, order, fill, symbol, leverage, margin, end }

    /// Throws for a kind of event that this version does not know: a log with a hole is not a log.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func order() throws -> Order<Mode> { try container.decode(Order<Mode>.self, forKey: .order) }
        func margin() throws -> MarginCall { try container.decode(MarginCall.self, forKey: .margin) }
        func capital() throws -> [Money] { try container.decode([Money].self, forKey: .capital) }
        self =
            switch try container.decode(Kind.self, forKey: .kind) {
            case .accountOpened: .accountOpened(capital: try capital())
            case .deposited: .deposited(try container.decode(Money.self, forKey: .money))
            case .orderAccepted: .orderAccepted(try order())
            case .orderRejected: .orderRejected(try order())
            case .orderAmended: .orderAmended(try order())
            case .orderTriggered: .orderTriggered(try order())
            case .trailMoved: .trailMoved(try order())
            case .orderFilled: .orderFilled(try container.decode(Fill<Mode>.self, forKey: .fill), try order())
            case .orderCancelled: .orderCancelled(try order())
            case .orderExpired: .orderExpired(try order())
            case .leverageChanged:
                .leverageChanged(
                    symbol: try container.decode(String.self, forKey: .symbol),
                    leverage: try container.decode(Int.self, forKey: .leverage))
            case .liquidationWarned: .liquidationWarned(try margin())
            case .marginRestored: .marginRestored(try margin())
            case .liquidated: .liquidated(try margin())
            case .accountReset: .accountReset(capital: try capital())
            case .accountDeleted: .accountDeleted(try container.decode(AccountEnd.self, forKey: .end))
            }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encodeIfPresent(order, forKey: .order)
        try container.encodeIfPresent(fill, forKey: .fill)
        switch self {
        case .accountOpened(let capital), .accountReset(let capital):
            try container.encode(capital, forKey: .capital)
        case .deposited(let money):
            try container.encode(money, forKey: .money)
        case .leverageChanged(let symbol, let leverage):
            try container.encode(symbol, forKey: .symbol)
            try container.encode(leverage, forKey: .leverage)
        case .liquidationWarned(let call), .marginRestored(let call), .liquidated(let call):
            try container.encode(call, forKey: .margin)
        case .accountDeleted(let end):
            try container.encode(end, forKey: .end)
        case .orderAccepted, .orderRejected, .orderAmended, .orderTriggered, .trailMoved, .orderFilled,
            .orderCancelled, .orderExpired:
            break
        }
    }
}
