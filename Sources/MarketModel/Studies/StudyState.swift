/// The machine of whichever kind the settings name; EMA and RMA have the same.
enum StudyState: Sendable {
    case sma(SimpleMovingAverage), ema(ExponentialMovingAverage), wma(WeightedMovingAverage), vwap(SessionVWAP)
    case bollinger(BollingerBands), keltner(KeltnerChannels), donchian(DonchianChannels), ichimoku(IchimokuCloud)
    case parabolicSAR(ParabolicSAR), supertrend(Supertrend), rsi(RelativeStrengthIndex)
    case macd(MovingAverageConvergence), stochastic(StochasticOscillator), stochasticRSI(StochasticRSI)
    case atr(AverageTrueRange), adx(AverageDirectionalIndex), cci(CommodityChannelIndex), obv(OnBalanceVolume)
    case mfi(MoneyFlowIndex), williamsR(WilliamsR), roc(RateOfChange), aroon(Aroon), cmf(ChaikinMoneyFlow)

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        switch settings.kind {
        case .sma: self = .sma(.init(settings, &plan))
        case .ema, .rma: self = .ema(.init(settings, &plan))
        case .wma: self = .wma(.init(settings, &plan))
        case .vwap: self = .vwap(.init(settings, &plan))
        case .bollinger: self = .bollinger(.init(settings, &plan))
        case .keltner: self = .keltner(.init(settings, &plan))
        case .donchian: self = .donchian(.init(settings, &plan))
        case .ichimoku: self = .ichimoku(.init(settings, &plan))
        case .parabolicSAR: self = .parabolicSAR(.init(settings, &plan))
        case .supertrend: self = .supertrend(.init(settings, &plan))
        case .rsi: self = .rsi(.init(settings, &plan))
        case .macd: self = .macd(.init(settings, &plan))
        case .stochastic: self = .stochastic(.init(settings, &plan))
        case .stochasticRSI: self = .stochasticRSI(.init(settings, &plan))
        case .atr: self = .atr(.init(settings, &plan))
        case .adx: self = .adx(.init(settings, &plan))
        case .cci: self = .cci(.init(settings, &plan))
        case .obv: self = .obv(.init(settings, &plan))
        case .mfi: self = .mfi(.init(settings, &plan))
        case .williamsR: self = .williamsR(.init(settings, &plan))
        case .roc: self = .roc(.init(settings, &plan))
        case .aroon: self = .aroon(.init(settings, &plan))
        case .cmf: self = .cmf(.init(settings, &plan))
        }
    }

    /// Computes the values of closed rows. A state before every `StudyCheckpoints.distance`th bar is kept.
    mutating func advance(_ rows: Range<Int>, _ tape: StudyTape, _ kept: inout StudyCheckpoints) {
        var start = rows.lowerBound
        while start < rows.upperBound {
            let past = tape.age(start) % StudyCheckpoints.distance
            if past == 0 { kept.append(self) }
            let end = min(rows.upperBound, start + StudyCheckpoints.distance - past)
            run(start..<end, tape)
            start = end
        }
    }

    /// Computes the values of a row that may still change.
    func peek(_ at: Int, _ tape: StudyTape) {
        var forming = self
        forming.run(at..<at + 1, tape)
    }

    @inline(never)
    private mutating func run(_ rows: Range<Int>, _ tape: StudyTape) {
        switch self {
        case .sma(let machine): self = .sma(Self.run(machine, rows, tape))
        case .ema(let machine): self = .ema(Self.run(machine, rows, tape))
        case .wma(let machine): self = .wma(Self.run(machine, rows, tape))
        case .vwap(let machine): self = .vwap(Self.run(machine, rows, tape))
        case .bollinger(let machine): self = .bollinger(Self.run(machine, rows, tape))
        case .keltner(let machine): self = .keltner(Self.run(machine, rows, tape))
        case .donchian(let machine): self = .donchian(Self.run(machine, rows, tape))
        case .ichimoku(let machine): self = .ichimoku(Self.run(machine, rows, tape))
        case .parabolicSAR(let machine): self = .parabolicSAR(Self.run(machine, rows, tape))
        case .supertrend(let machine): self = .supertrend(Self.run(machine, rows, tape))
        case .rsi(let machine): self = .rsi(Self.run(machine, rows, tape))
        case .macd(let machine): self = .macd(Self.run(machine, rows, tape))
        case .stochastic(let machine): self = .stochastic(Self.run(machine, rows, tape))
        case .stochasticRSI(let machine): self = .stochasticRSI(Self.run(machine, rows, tape))
        case .atr(let machine): self = .atr(Self.run(machine, rows, tape))
        case .adx(let machine): self = .adx(Self.run(machine, rows, tape))
        case .cci(let machine): self = .cci(Self.run(machine, rows, tape))
        case .obv(let machine): self = .obv(Self.run(machine, rows, tape))
        case .mfi(let machine): self = .mfi(Self.run(machine, rows, tape))
        case .williamsR(let machine): self = .williamsR(Self.run(machine, rows, tape))
        case .roc(let machine): self = .roc(Self.run(machine, rows, tape))
        case .aroon(let machine): self = .aroon(Self.run(machine, rows, tape))
        case .cmf(let machine): self = .cmf(Self.run(machine, rows, tape))
        }
    }

    @inline(__always)
    private static func run<Machine: StudyMachine>(_ start: Machine, _ rows: Range<Int>, _ tape: StudyTape) -> Machine {
        var machine = start
        for at in rows { machine.step(at, tape) }
        return machine
    }
}
