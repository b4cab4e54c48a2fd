/// How far a trailing stop stays behind the market.
///
/// On the wire `{"amount":"250"}` or `{"percent":"1.5"}`.
public enum Trail: Hashable, Sendable {
    /// In price units, above 0.
    case amount(ExactDecimal)
    /// In percent of the best price so far, above 0 and below 100.
    case percent(ExactDecimal)
}

extension Trail: Codable {
    enum CodingKeys: String, CodingKey { case amount, percent }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let amount = try container.decodeIfPresent(ExactDecimal.self, forKey: .amount)
        let percent = try container.decodeIfPresent(ExactDecimal.self, forKey: .percent)
        switch (amount, percent) {
        case (let amount?, nil): self = .amount(amount)
        case (nil, let percent?): self = .percent(percent)
        default:
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: "Expected either amount or percent."))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .amount(let amount): try container.encode(amount, forKey: .amount)
        case .percent(let percent): try container.encode(percent, forKey: .percent)
        }
    }
}
