/// What one subscribes to beside candles: messages about the whole market, about one account, or about the server.
public enum StreamChannel: UInt8, Sendable, Hashable, CaseIterable {
    /// Summaries of all markets, every two seconds.
    case markets
    /// An account's open positions.
    case positions
    /// An account's orders and fills, each change of them.
    case orders
    /// An account's balances.
    case portfolio
    /// What happened: signals, orders, fills, positions, risk, the system.
    case events
    /// How the server and its feeds are doing, each second.
    case health

    public var name: StaticString {
        switch self {
        case .markets: "markets"
        case .positions: "positions"
        case .orders: "orders"
        case .portfolio: "portfolio"
        case .events: "events"
        case .health: "health"
        }
    }

    /// Whether it is about one account, `ChannelKey.defaultAccount` where none is named.
    public var needsAccount: Bool {
        switch self {
        case .positions, .orders, .portfolio: true
        case .markets, .events, .health: false
        }
    }

    /// Whether each message is the whole state, so that only the latest one counts. Orders, fills and events are
    /// single facts: none of them may be left out.
    public var isState: Bool {
        switch self {
        case .markets, .positions, .portfolio, .health: true
        case .orders, .events: false
        }
    }

    /// The channel of this name; `nil` where there is none.
    public init?(name: String) {
        guard let known = Self.allCases.first(where: { "\($0.name)" == name }) else { return nil }
        self = known
    }

    init?(_ text: JSONText) {
        guard let known = Self.allCases.first(where: { text.equals($0.name) }) else { return nil }
        self = known
    }

    /// All names, for error messages: `markets, positions, ... health`.
    public static let allowedNames = allCases.map { "\($0.name)" }.joined(separator: ", ")
}

/// What names one subscription to a channel: the channel, and whose it is.
public struct ChannelKey: Sendable, Equatable, Hashable {
    public let channel: StreamChannel
    /// `nil` where the channel is about no account; of `events`: those of all accounts.
    public let account: String?

    /// The account of channels that need one, where none is named.
    public static let defaultAccount = "paper-main"
    /// The longest id of an account, in bytes of UTF-8.
    public static let maximumAccountBytes = 64

    /// - Parameter account: without one, `paper-main` for channels that need one; `markets` and `health` have none.
    public init(_ channel: StreamChannel, account: String? = nil) {
        self.channel = channel
        if channel.needsAccount {
            self.account = account ?? Self.defaultAccount
        } else {
            self.account = channel == .events ? account : nil
        }
    }

    private init(hidingAccountsIn channel: StreamChannel) {
        self.channel = channel
        // No account has this name, and clients cannot send one for this channel.
        account = ""
    }

    /// Whether a server leaves out what names accounts: for readers who may not see all of them.
    package var hidesAccounts: Bool { account == "" }

    /// The same for a reader who may not see all accounts.
    package var hidingAccounts: ChannelKey { channel == .health ? ChannelKey(hidingAccountsIn: channel) : self }
}
