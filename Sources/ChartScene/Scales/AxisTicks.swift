/// The round numbers of one pane's axis, in storage that is kept from frame to frame.
struct AxisTicks {
    /// The number as the axis shows it.
    private(set) var values: [Double] = []
    /// Its pixel, not snapped.
    private(set) var ys: [Double] = []
    /// How the numbers are written.
    private(set) var format = AxisFormat.price(precision: 2)

    var count: Int { values.count }
    /// How many of them are round numbers; levels of studies follow.
    private var round = 0

    mutating func clear() {
        round = 0
        values.removeAll(keepingCapacity: true)
        ys.removeAll(keepingCapacity: true)
    }

    /// Fills the axis from `top` to `bottom`.
    /// - Parameters:
    ///   - distance: the least distance of two labels, in device pixels.
    ///   - instrument: precision and tick size of a pane of prices; `nil` for a pane of studies or volume.
    mutating func update(_ scale: PriceScale, top: Double, bottom: Double, distance: Double, instrument: Instrument?) {
        clear()
        guard scale.scale > 0, bottom > top else { return }
        let first = scale.price(at: top)
        let second = scale.price(at: bottom)
        let low = min(first, second)
        let high = max(first, second)
        switch scale.kind {
        case .linear:
            let ticks = PriceTicks(
                low: low, high: high, smallestStep: distance / scale.scale, precision: instrument?.precision ?? 10,
                tickSize: instrument?.tickSize ?? 0)
            format = AxisFormat(instrument, ticks)
            // Prices are above zero; an axis does not name others.
            for index in 0..<ticks.count where instrument == nil || ticks[index] > 0 { add(ticks[index], scale) }
        case .percent, .indexed:
            let a = scale.shown(low)
            let b = scale.shown(high)
            let ticks = PriceTicks(
                low: min(a, b), high: max(a, b), smallestStep: distance * scale.shownPerPixel, precision: 2)
            format = scale.kind == .percent ? .percent : .indexed
            for index in 0..<ticks.count where scale.price(shown: ticks[index]) > 0 || instrument == nil {
                add(ticks[index], scale)
            }
        case .logarithmic:
            format = .price(precision: instrument?.precision ?? 2)
            LogTicks.visit(
                low: low, high: high, pixelsPerUnit: scale.scale, distance: distance,
                instrument: instrument ?? Instrument(precision: 10, tickSize: 0)
            ) { add($0, scale) }
        }
    }

    /// Puts a level of a study among the numbers, in the place of those that are too near to it.
    /// - Parameter size: of the font.
    mutating func add(level: Double, _ scale: PriceScale, size: Double) {
        let y = scale.y(level)
        for index in round..<count where (ys[index] - y).magnitude < size { return }
        for index in (0..<round).reversed() where (ys[index] - y).magnitude < size * 1.8 {
            values.remove(at: index)
            ys.remove(at: index)
            round -= 1
        }
        values.append(level)
        ys.append(y)
    }

    private mutating func add(_ value: Double, _ scale: PriceScale) {
        round += 1
        values.append(value)
        ys.append(scale.y(scale.price(shown: value)))
    }
}

/// What a price of the chart's symbol looks like.
struct Instrument: Equatable {
    /// Digits after the point, 0 to 10.
    var precision: Int
    /// The smallest step of a price; 0 where the precision says all.
    var tickSize: Double

    /// The smallest step, from either of them.
    var step: Double { tickSize > 0 ? tickSize : 1 / powerOfTen(precision) }

    /// The nearest price that can be.
    func rounded(_ price: Double) -> Double {
        guard tickSize > 0, price.isFinite, price.magnitude < tickSize * 9e15 else { return price }
        return (price / tickSize).rounded() * tickSize
    }
}

/// How an axis writes its numbers.
enum AxisFormat: Equatable {
    case price(precision: Int)
    case percent
    case indexed
    /// A study's numbers, with this many digits.
    case plain(precision: Int)
    /// `1.2M`, for large ones.
    case compact

    init(_ instrument: Instrument?, _ ticks: PriceTicks) {
        if let instrument {
            self = .price(precision: instrument.precision)
        } else if ticks.count > 0, max(ticks[0].magnitude, ticks[ticks.count - 1].magnitude) >= 100_000 {
            self = .compact
        } else {
            self = .plain(precision: max(0, -ticks.exponent))
        }
    }
}

extension TextBuffer {
    mutating func append(_ value: Double, _ format: AxisFormat) {
        switch format {
        case .price(let precision), .plain(let precision): append(price: value, precision: precision)
        case .percent:
            append(decimal: value, precision: 2, grouped: true, minus: "−")
            append("%")
        case .indexed: append(decimal: value, precision: 2, grouped: true, minus: "−")
        case .compact: append(compact: value)
        }
    }
}
