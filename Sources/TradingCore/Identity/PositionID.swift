/// An account's position in a market: `paper-main-BTC-USD`. There is one at a time.
public struct PositionID<Mode: TradingMode>: Hashable, Sendable, CustomStringConvertible {
    public let account: AccountID<Mode>
    public let symbol: String

    public init(account: AccountID<Mode>, symbol: String) {
        self.account = account
        self.symbol = symbol
    }

    /// Throws where the text begins with another mode's name or names no market.
    public init(_ text: String) throws(IdentifierError) {
        let (account, rest) = try AccountID<Mode>.split(text)
        guard let rest, !rest.isEmpty else { throw .malformed(text) }
        self.init(account: account, symbol: String(rest))
    }

    public var description: String { "\(account)-\(symbol)" }
}

extension PositionID: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decodeIdentifier(from: decoder) { text throws(IdentifierError) in try PositionID(text) }
    }

    public func encode(to encoder: any Encoder) throws { try encodeIdentifier(self, to: encoder) }
}
