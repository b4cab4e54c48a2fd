/// Everything that changes an account. Order events carry the order as it is after them, with its next version.
///
/// Indirect where what it carries is large: entries are moved and kept far more often than they are read.
public enum LedgerEvent<Mode: TradingMode>: Hashable, Sendable {
    /// Always the first.
    case accountOpened(capital: [Money])
    indirect case deposited(Money)
    case orderAccepted(Order<Mode>)
    /// After `orderAccepted`: the order was refused when it reached the market. Alone in logs before version 0.2.
    case orderRejected(Order<Mode>)
    case orderAmended(Order<Mode>)
    /// A stop's price was touched.
    case orderTriggered(Order<Mode>)
    /// A trailing stop's price moved with the market.
    case trailMoved(Order<Mode>)
    case orderFilled(Fill<Mode>, Order<Mode>)
    case orderCancelled(Order<Mode>)
    case orderExpired(Order<Mode>)
    /// Of a market's position and of its waiting orders, each of which gets its next version.
    case leverageChanged(symbol: String, leverage: Int)
    /// The equity came near the maintenance margin.
    indirect case liquidationWarned(MarginCall)
    /// It is no longer near.
    indirect case marginRestored(MarginCall)
    /// After the fills that closed all positions in the currency.
    indirect case liquidated(MarginCall)
    /// Back to the beginning: no positions, no orders, this capital. Numbers of orders and fills go on.
    case accountReset(capital: [Money])
    /// No positions, no orders, no balances. Only `accountOpened` can follow. What the log has before may be gone.
    case accountDeleted(AccountEnd)

    /// The event's name in the ledger.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        case accountOpened = "account_opened"
        case deposited
        case orderAccepted = "order_accepted"
        case orderRejected = "order_rejected"
        case orderAmended = "order_amended"
        case orderTriggered = "order_triggered"
        case trailMoved = "trail_moved"
        case orderFilled = "order_filled"
        case orderCancelled = "order_cancelled"
        case orderExpired = "order_expired"
        case leverageChanged = "leverage_changed"
        case liquidationWarned = "liquidation_warned"
        case marginRestored = "margin_restored"
        case liquidated
        case accountReset = "account_reset"
        case accountDeleted = "account_deleted"
    }

    public var kind: Kind {
        switch self {
        case .accountOpened: .accountOpened
        case .deposited: .deposited
        case .orderAccepted: .orderAccepted
        case .orderRejected: .orderRejected
        case .orderAmended: .orderAmended
        case .orderTriggered: .orderTriggered
        case .trailMoved: .trailMoved
        case .orderFilled: .orderFilled
        case .orderCancelled: .orderCancelled
        case .orderExpired: .orderExpired
        case .leverageChanged: .leverageChanged
        case .liquidationWarned: .liquidationWarned
        case .marginRestored: .marginRestored
        case .liquidated: .liquidated
        case .accountReset: .accountReset
        case .accountDeleted: .accountDeleted
        }
    }

    /// The order after the event, where it is about one.
    public var order: Order<Mode>? {
        switch self {
        case .orderAccepted(let order), .orderRejected(let order), .orderAmended(let order),
            .orderTriggered(let order), .trailMoved(let order), .orderFilled(_, let order),
            .orderCancelled(let order), .orderExpired(let order):
            order
        case .accountOpened, .deposited, .leverageChanged, .liquidationWarned, .marginRestored, .liquidated,
            .accountReset, .accountDeleted:
            nil
        }
    }

    /// The fill, where the event is one.
    public var fill: Fill<Mode>? { if case .orderFilled(let fill, _) = self { fill } else { nil } }
}

/// What an account that is opened again under the same id goes on from.
public struct AccountEnd: Hashable, Codable, Sendable {
    /// The number that the next order would have got.
    public var nextOrder: Int
    public var nextFill: Int

    public init(nextOrder: Int, nextFill: Int) {
        self.nextOrder = nextOrder
        self.nextFill = nextFill
    }

    enum CodingKeys: String, CodingKey {
        case nextOrder = "next_order"
        case nextFill = "next_fill"
    }
}

/// How an account stood in a currency when it was warned or liquidated.
public struct MarginCall: Hashable, Codable, Sendable {
    public var currency: String
    public var equity: ExactDecimal
    /// The equity at or below which the positions are closed.
    public var maintenanceMargin: ExactDecimal
    /// A loss beyond the balance, written off after a liquidation; zero else.
    public var writtenOff: ExactDecimal

    public init(
        currency: String, equity: ExactDecimal, maintenanceMargin: ExactDecimal, writtenOff: ExactDecimal = .zero
    ) {
        self.currency = currency
        self.equity = equity
        self.maintenanceMargin = maintenanceMargin
        self.writtenOff = writtenOff
    }

    enum CodingKeys: String, CodingKey {
        case currency, equity
        case maintenanceMargin = "maintenance_margin"
        case writtenOff = "written_off"
    }
}
