/// Where an order is on its way. The way goes forward only: see ``OrderStatus/after(_:)``.
public enum OrderStatus: OpenEnum {
    /// Accepted, and nothing of it is filled.
    case new
    /// Some of it is filled, the rest waits.
    case partiallyFilled
    case filled
    /// By its owner or by a rule; what was filled before stays.
    case cancelled
    /// Never reached the market.
    case rejected
    /// Its time was over.
    case expired
    /// A word of a later version.
    case unknown(String)

    public static let known: [OrderStatus] = [.new, .partiallyFilled, .filled, .cancelled, .rejected, .expired]

    public var rawValue: String {
        switch self {
        case .new: "new"
        case .partiallyFilled: "partially_filled"
        case .filled: "filled"
        case .cancelled: "cancelled"
        case .rejected: "rejected"
        case .expired: "expired"
        case .unknown(let word): word
        }
    }

    /// Whether the order can still trade.
    public var isActive: Bool {
        switch self {
        case .new, .partiallyFilled: true
        case .filled, .cancelled, .rejected, .expired, .unknown: false
        }
    }

    /// Whether nothing can happen to the order any more.
    public var isDone: Bool {
        switch self {
        case .filled, .cancelled, .rejected, .expired: true
        case .new, .partiallyFilled, .unknown: false
        }
    }
}

/// What can happen to an order.
public enum OrderStep: Sendable, Hashable, CaseIterable {
    case accept, reject, amend, trigger, trail, fillPart, fillAll, cancel, expire
}

extension OrderStatus {
    /// Where an order that does not exist yet comes to by `step`: accepting or rejecting it.
    public static func first(_ step: OrderStep) -> OrderStatus? {
        switch step {
        case .accept: .new
        case .reject: .rejected
        case .amend, .trigger, .trail, .fillPart, .fillAll, .cancel, .expire: nil
        }
    }

    /// Where `step` leads from here; `nil` where it cannot happen.
    ///
    /// A new order may still be rejected: with a latency model it reaches the market after it was accepted. Once a part
    /// is filled it cannot. Stops are triggered and trail before anything of them is filled. From the four ends, and from
    /// a word we do not know, nothing leads on.
    public func after(_ step: OrderStep) -> OrderStatus? {
        switch (self, step) {
        case (.new, .reject): .rejected
        case (.new, .amend), (.new, .trigger), (.new, .trail): .new
        case (.partiallyFilled, .amend): .partiallyFilled
        case (.new, .fillPart), (.partiallyFilled, .fillPart): .partiallyFilled
        case (.new, .fillAll), (.partiallyFilled, .fillAll): .filled
        case (.new, .cancel), (.partiallyFilled, .cancel): .cancelled
        case (.new, .expire), (.partiallyFilled, .expire): .expired
        case (.new, .accept), (.partiallyFilled, .accept), (.partiallyFilled, .reject), (.partiallyFilled, .trigger),
            (.partiallyFilled, .trail), (.filled, _), (.cancelled, _), (.rejected, _), (.expired, _), (.unknown, _):
            nil
        }
    }
}
