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

extension Trail {
    /// Where the stop is when the best price is this one, to 8 decimals and never further away than the trail; `nil` where
    /// the distance is as large as the price.
    func stop(at best: ExactDecimal, side: Side) -> ExactDecimal? {
        let isBuy = side == .buy
        let distance: ExactDecimal? =
            switch self {
            case .amount(let amount): amount
            case .percent(let percent): try? best.multiplied(by: percent, over: 100)
            }
        guard let distance, let stop = try? best + (isBuy ? distance : -distance),
            let rounded = try? stop.rounded(decimals: 8, rounding: isBuy ? .floor : .ceiling), rounded.isPositive
        else { return nil }
        return rounded
    }
}
