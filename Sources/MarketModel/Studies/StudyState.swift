/// The machine of whichever kind the settings name.
enum StudyState: Sendable {
    case sma(SimpleMovingAverage)
    case ema(ExponentialMovingAverage)
    case wma(WeightedMovingAverage)
    case rma(WilderMovingAverage)
    case vwap(SessionVWAP)
    case bollinger(BollingerBands)
    case keltner(KeltnerChannels)
    case donchian(DonchianChannels)
    case ichimoku(IchimokuCloud)
    case parabolicSAR(ParabolicSAR)
    case supertrend(Supertrend)
    case rsi(RelativeStrengthIndex)
    case macd(MovingAverageConvergence)
    case stochastic(StochasticOscillator)
    case stochasticRSI(StochasticRSI)
    case atr(AverageTrueRange)
    case adx(AverageDirectionalIndex)
    case cci(CommodityChannelIndex)
    case obv(OnBalanceVolume)
    case mfi(MoneyFlowIndex)
    case williamsR(WilliamsR)
    case roc(RateOfChange)
    case aroon(Aroon)
    case cmf(ChaikinMoneyFlow)

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        switch settings.kind {
        case .sma: self = .sma(.init(settings, &plan))
        case .ema: self = .ema(.init(settings, &plan))
        case .wma: self = .wma(.init(settings, &plan))
        case .rma: self = .rma(.init(settings, &plan))
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

    var reach: Int {
        switch self {
        case .sma(let machine): machine.reach
        case .ema(let machine): machine.reach
        case .wma(let machine): machine.reach
        case .rma(let machine): machine.reach
        case .vwap(let machine): machine.reach
        case .bollinger(let machine): machine.reach
        case .keltner(let machine): machine.reach
        case .donchian(let machine): machine.reach
        case .ichimoku(let machine): machine.reach
        case .parabolicSAR(let machine): machine.reach
        case .supertrend(let machine): machine.reach
        case .rsi(let machine): machine.reach
        case .macd(let machine): machine.reach
        case .stochastic(let machine): machine.reach
        case .stochasticRSI(let machine): machine.reach
        case .atr(let machine): machine.reach
        case .adx(let machine): machine.reach
        case .cci(let machine): machine.reach
        case .obv(let machine): machine.reach
        case .mfi(let machine): machine.reach
        case .williamsR(let machine): machine.reach
        case .roc(let machine): machine.reach
        case .aroon(let machine): machine.reach
        case .cmf(let machine): machine.reach
        }
    }

    /// Takes in closed rows; a state at every `StudyCheckpoints.distance` bars is kept.
    mutating func advance(_ rows: Range<Int>, _ tape: StudyTape, _ kept: inout StudyCheckpoints) {
        switch self {
        case .sma(let machine): self = Self.run(machine, rows, tape, &kept, Self.sma)
        case .ema(let machine): self = Self.run(machine, rows, tape, &kept, Self.ema)
        case .wma(let machine): self = Self.run(machine, rows, tape, &kept, Self.wma)
        case .rma(let machine): self = Self.run(machine, rows, tape, &kept, Self.rma)
        case .vwap(let machine): self = Self.run(machine, rows, tape, &kept, Self.vwap)
        case .bollinger(let machine): self = Self.run(machine, rows, tape, &kept, Self.bollinger)
        case .keltner(let machine): self = Self.run(machine, rows, tape, &kept, Self.keltner)
        case .donchian(let machine): self = Self.run(machine, rows, tape, &kept, Self.donchian)
        case .ichimoku(let machine): self = Self.run(machine, rows, tape, &kept, Self.ichimoku)
        case .parabolicSAR(let machine): self = Self.run(machine, rows, tape, &kept, Self.parabolicSAR)
        case .supertrend(let machine): self = Self.run(machine, rows, tape, &kept, Self.supertrend)
        case .rsi(let machine): self = Self.run(machine, rows, tape, &kept, Self.rsi)
        case .macd(let machine): self = Self.run(machine, rows, tape, &kept, Self.macd)
        case .stochastic(let machine): self = Self.run(machine, rows, tape, &kept, Self.stochastic)
        case .stochasticRSI(let machine): self = Self.run(machine, rows, tape, &kept, Self.stochasticRSI)
        case .atr(let machine): self = Self.run(machine, rows, tape, &kept, Self.atr)
        case .adx(let machine): self = Self.run(machine, rows, tape, &kept, Self.adx)
        case .cci(let machine): self = Self.run(machine, rows, tape, &kept, Self.cci)
        case .obv(let machine): self = Self.run(machine, rows, tape, &kept, Self.obv)
        case .mfi(let machine): self = Self.run(machine, rows, tape, &kept, Self.mfi)
        case .williamsR(let machine): self = Self.run(machine, rows, tape, &kept, Self.williamsR)
        case .roc(let machine): self = Self.run(machine, rows, tape, &kept, Self.roc)
        case .aroon(let machine): self = Self.run(machine, rows, tape, &kept, Self.aroon)
        case .cmf(let machine): self = Self.run(machine, rows, tape, &kept, Self.cmf)
        }
    }

    /// Computes the values of a row that may still change.
    func peek(_ at: Int, _ tape: StudyTape) {
        switch self {
        case .sma(var machine): machine.step(at, tape)
        case .ema(var machine): machine.step(at, tape)
        case .wma(var machine): machine.step(at, tape)
        case .rma(var machine): machine.step(at, tape)
        case .vwap(var machine): machine.step(at, tape)
        case .bollinger(var machine): machine.step(at, tape)
        case .keltner(var machine): machine.step(at, tape)
        case .donchian(var machine): machine.step(at, tape)
        case .ichimoku(var machine): machine.step(at, tape)
        case .parabolicSAR(var machine): machine.step(at, tape)
        case .supertrend(var machine): machine.step(at, tape)
        case .rsi(var machine): machine.step(at, tape)
        case .macd(var machine): machine.step(at, tape)
        case .stochastic(var machine): machine.step(at, tape)
        case .stochasticRSI(var machine): machine.step(at, tape)
        case .atr(var machine): machine.step(at, tape)
        case .adx(var machine): machine.step(at, tape)
        case .cci(var machine): machine.step(at, tape)
        case .obv(var machine): machine.step(at, tape)
        case .mfi(var machine): machine.step(at, tape)
        case .williamsR(var machine): machine.step(at, tape)
        case .roc(var machine): machine.step(at, tape)
        case .aroon(var machine): machine.step(at, tape)
        case .cmf(var machine): machine.step(at, tape)
        }
    }

    @inline(__always)
    private static func run<Machine: StudyMachine>(
        _ start: Machine, _ rows: Range<Int>, _ tape: StudyTape, _ kept: inout StudyCheckpoints,
        _ state: (Machine) -> StudyState
    ) -> StudyState {
        var machine = start
        for at in rows {
            if StudyCheckpoints.isDue(tape.age(at)) { kept.append(state(machine)) }
            machine.step(at, tape)
        }
        return state(machine)
    }
}
