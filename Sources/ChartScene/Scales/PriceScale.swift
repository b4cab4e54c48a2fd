/// Prices to device pixels. A value: as it was when the frame was laid out.
struct PriceScale: Equatable {
    let kind: PriceScaleKind
    let isInverted: Bool
    /// The price at the end where the lowest ones are: `bottom`, `top` where the scale is inverted.
    private(set) var low: Double
    private(set) var high: Double
    /// What is 0 % or 100 on a relative axis.
    private(set) var reference: Double
    let top: Double
    let bottom: Double
    /// Device pixels per unit of price; on a logarithmic scale per unit of its natural logarithm.
    private(set) var scale: Double

    // `y = anchor - (price or its logarithm - origin) * slope`.
    private var origin: Double
    private let anchor: Double
    private var slope: Double

    /// A scale that shows `low` to `high` with padding, or exactly the range of the settings.
    /// - Parameters:
    ///   - low: the lowest price to show; with `high` below it (no data) the scale shows nothing sensible but works.
    ///   - padding: share of the range added at both ends.
    ///   - tickSize: the smallest step of a price; a flat range is opened by a few of them.
    init(
        _ settings: PriceScaleSettings = PriceScaleSettings(), low: Double, high: Double, padding: Double,
        tickSize: Double, reference: Double = 1, top: Double, bottom: Double
    ) {
        // Beyond this a sum of two prices may not be finite any more.
        let limit = 1e300
        let requested = settings.range
        let lowest = min(max(requested?.lowerBound ?? low, -limit), limit)
        let highest = min(max(requested?.upperBound ?? high, -limit), limit)
        let padding = requested == nil ? padding : 0
        // A logarithmic scale needs prices above zero.
        let isLogarithmic = settings.kind == .logarithmic && highest > 0
        kind = settings.kind == .logarithmic && !isLogarithmic ? .linear : settings.kind
        isInverted = settings.isInverted
        self.reference = reference.magnitude > 0 && reference.isFinite ? reference : 1
        self.top = top
        self.bottom = bottom
        let height = max(bottom - top, 0)
        if isLogarithmic {
            let ends = PriceScale.logarithms(lowest, highest, padding)
            origin = ends.low
            self.low = Maths.exp(ends.low)
            self.high = Maths.exp(ends.high)
            scale = height / (ends.high - ends.low)
        } else {
            let middle = lowest / 2 + highest / 2
            // Narrower than this, neighbouring ticks would be the same number.
            let least = max(middle.magnitude * 1e-9, requested == nil ? tickSize * 4 : 0, 1e-290)
            let half = max((highest - lowest) / 2 * (1 + 2 * padding), least)
            self.low = middle - half
            self.high = middle + half
            origin = self.low
            scale = height / (self.high - self.low)
        }
        anchor = isInverted ? top : bottom
        slope = isInverted ? -scale : scale
    }

    private static func logarithms(_ low: Double, _ high: Double, _ padding: Double) -> (low: Double, high: Double) {
        let top = Maths.log(high)
        let bottom = low > 0 ? min(Maths.log(low), top) : top - 7
        let middle = (bottom + top) / 2
        let half = max((top - bottom) / 2 * (1 + 2 * padding), 1e-6)
        return (middle - half, middle + half)
    }

    /// The pixel of `price`, not snapped.
    @inline(__always)
    func y(_ price: Double) -> Double {
        anchor - ((kind == .logarithmic ? Maths.log(price) : price) - origin) * slope
    }

    /// The price at pixel `y`.
    func price(at y: Double) -> Double {
        guard scale > 0 else { return low }
        let place = origin + (anchor - y) / slope
        return kind == .logarithmic ? Maths.exp(place) : place
    }

    /// The scale on which a price is where `factor` times as much is on this one.
    func rescaled(by factor: Double) -> PriceScale {
        guard factor > 0, factor.isFinite, factor != 1 else { return self }
        var scale = self
        scale.low /= factor
        scale.high /= factor
        scale.reference /= factor
        guard kind != .logarithmic else {
            scale.origin -= Maths.log(factor)
            return scale
        }
        scale.scale *= factor
        scale.origin /= factor
        scale.slope *= factor
        return scale
    }

    /// A price in the axis' unit: itself, its change in percent, or its index.
    func shown(_ price: Double) -> Double {
        switch kind {
        case .linear, .logarithmic: price
        case .percent: (price / reference - 1) * 100
        case .indexed: price / reference * 100
        }
    }

    /// The price of a number in the axis' unit.
    func price(shown value: Double) -> Double {
        switch kind {
        case .linear, .logarithmic: value
        case .percent: reference * (1 + value / 100)
        case .indexed: reference * (value / 100)
        }
    }

    /// How many units of the axis a device pixel is, on a scale that is not logarithmic.
    var shownPerPixel: Double {
        switch kind {
        case .linear, .logarithmic: 1 / scale
        case .percent, .indexed: 100 / reference.magnitude / scale
        }
    }
}

/// How prices are spread over a pane's height, and in which unit its axis shows them.
public enum PriceScaleKind: UInt8, CaseIterable, Sendable {
    // Raw values are the boundary's numbers: append only.
    case linear
    /// Equal ratios are equally high. Compared symbols are moved to meet the chart's own at the first bar on screen that
    /// all of them have; their tags show their own prices.
    case logarithmic
    /// Change since the first bar on screen, with comparisons the first one that all of them have.
    case percent
    /// That bar is 100.
    case indexed
}

/// The settings of a price scale.
public struct PriceScaleSettings: Sendable, Equatable {
    public var kind = PriceScaleKind.linear
    /// Higher prices are lower on screen.
    public var isInverted = false
    /// The prices at the pane's ends; `nil` is automatic: what is on screen fits.
    public var range: ClosedRange<Double>?

    public init(kind: PriceScaleKind = .linear, isInverted: Bool = false, range: ClosedRange<Double>? = nil) {
        self.kind = kind
        self.isInverted = isInverted
        self.range = range
    }
}
