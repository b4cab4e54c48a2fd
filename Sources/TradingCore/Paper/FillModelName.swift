internal import MarketModel

/// The fill models that a server can be started with, by name. Each sets ``PaperSettings/fillModel`` and
/// ``PaperSettings/slippageModel``.
///
/// ```swift
/// var settings = PaperSettings()
/// FillModelName.through.apply(to: &settings)
/// ```
public enum FillModelName: String, CaseIterable, Sendable, Hashable {
    case volume, immediate, through, spread, random

    /// Half of the spread that ``spread`` assumes, in hundredths of a percent of the price.
    public static let halfSpread: ExactDecimal = 5

    /// The model that the settings have; `nil`: another one.
    public init?(_ settings: PaperSettings) {
        let named = Self.allCases.first {
            var changed = settings
            $0.apply(to: &changed)
            return changed == settings
        }
        guard let named else { return nil }
        self = named
    }

    public func apply(to settings: inout PaperSettings) {
        settings.slippageModel = self == .spread ? .basisPoints(Self.halfSpread) : .none
        settings.fillModel =
            switch self {
            case .volume: .volume(participation: 1)
            case .immediate, .spread: .immediate
            case .through: .through
            case .random: .random(chance: 0.3, every: 10)
            }
    }

    /// When it fills what, in a sentence.
    public var summary: String {
        switch self {
        case .volume: "Fills from the volume of the trades, each volume once; limit orders from the first touch."
        case .immediate:
            "Fills the whole order at once: a market order at the last price, a limit order when the price touches it."
        case .through:
            "Fills the whole order at once: a market order at the last price, a limit order when a trade goes through it."
        case .spread: "Fills like immediate; an order that trades at once pays half a spread of 0.1 %."
        case .random: "Market orders at once; every 10 s each waiting limit order with a chance of 30 %."
        }
    }
}

extension PaperSettings {
    /// For people and documents: the name of a ``FillModelName``, else that of the model.
    package var fillModelTitle: String { FillModelName(self)?.rawValue ?? fillModel.name }
}
