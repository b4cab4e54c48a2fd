/// A fill: `paper-main-f9`, the ninth of its account. Numbers are never used twice.
public struct FillID<Mode: TradingMode>: Hashable, Sendable, CustomStringConvertible {
    public let account: AccountID<Mode>
    /// 1, 2, 3… within the account.
    public let number: Int

    public init(account: AccountID<Mode>, number: Int) {
        self.account = account
        self.number = number
    }

    /// Throws where the text begins with another mode's name or is not this kind of id.
    public init(_ text: String) throws(IdentifierError) {
        let (account, number) = try AccountID<Mode>.numbered(text, kind: "f")
        self.init(account: account, number: number)
    }

    public var description: String { "\(account)-f\(number)" }
}

extension FillID: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decodeIdentifier(from: decoder) { text throws(IdentifierError) in try FillID(text) }
    }

    public func encode(to encoder: any Encoder) throws { try encodeIdentifier(self, to: encoder) }
}
