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
        case .sma: self = Self.made(settings, &plan, Self.sma)
        case .ema: self = Self.made(settings, &plan, Self.ema)
        case .wma: self = Self.made(settings, &plan, Self.wma)
        case .rma: self = Self.made(settings, &plan, Self.rma)
        case .vwap: self = Self.made(settings, &plan, Self.vwap)
        case .bollinger: self = Self.made(settings, &plan, Self.bollinger)
        case .keltner: self = Self.made(settings, &plan, Self.keltner)
        case .donchian: self = Self.made(settings, &plan, Self.donchian)
        case .ichimoku: self = Self.made(settings, &plan, Self.ichimoku)
        case .parabolicSAR: self = Self.made(settings, &plan, Self.parabolicSAR)
        case .supertrend: self = Self.made(settings, &plan, Self.supertrend)
        case .rsi: self = Self.made(settings, &plan, Self.rsi)
        case .macd: self = Self.made(settings, &plan, Self.macd)
        case .stochastic: self = Self.made(settings, &plan, Self.stochastic)
        case .stochasticRSI: self = Self.made(settings, &plan, Self.stochasticRSI)
        case .atr: self = Self.made(settings, &plan, Self.atr)
        case .adx: self = Self.made(settings, &plan, Self.adx)
        case .cci: self = Self.made(settings, &plan, Self.cci)
        case .obv: self = Self.made(settings, &plan, Self.obv)
        case .mfi: self = Self.made(settings, &plan, Self.mfi)
        case .williamsR: self = Self.made(settings, &plan, Self.williamsR)
        case .roc: self = Self.made(settings, &plan, Self.roc)
        case .aroon: self = Self.made(settings, &plan, Self.aroon)
        case .cmf: self = Self.made(settings, &plan, Self.cmf)
        }
    }

    /// Computes the values of rows. Of closed ones (`isClosed`) a state at every `StudyCheckpoints.distance` bars is kept.
    @inline(never)
    mutating func advance(_ rows: Range<Int>, _ tape: StudyTape, _ kept: inout StudyCheckpoints, isClosed: Bool = true)
    {
        switch self {
        case .sma(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.sma)
        case .ema(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.ema)
        case .wma(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.wma)
        case .rma(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.rma)
        case .vwap(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.vwap)
        case .bollinger(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.bollinger)
        case .keltner(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.keltner)
        case .donchian(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.donchian)
        case .ichimoku(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.ichimoku)
        case .parabolicSAR(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.parabolicSAR)
        case .supertrend(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.supertrend)
        case .rsi(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.rsi)
        case .macd(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.macd)
        case .stochastic(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.stochastic)
        case .stochasticRSI(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.stochasticRSI)
        case .atr(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.atr)
        case .adx(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.adx)
        case .cci(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.cci)
        case .obv(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.obv)
        case .mfi(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.mfi)
        case .williamsR(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.williamsR)
        case .roc(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.roc)
        case .aroon(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.aroon)
        case .cmf(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.cmf)
        }
    }

    /// Computes the values of a row that may still change.
    func peek(_ at: Int, _ tape: StudyTape) {
        var (forming, none) = (self, StudyCheckpoints())
        forming.advance(at..<at + 1, tape, &none, isClosed: false)
    }

    private static func made<Machine: StudyMachine>(
        _ settings: StudySettings, _ plan: inout ScratchPlan, _ state: (Machine) -> StudyState
    ) -> StudyState {
        let machine = Machine(settings, &plan)
        plan.reach = machine.reach
        return state(machine)
    }

    @inline(__always)
    private static func run<Machine: StudyMachine>(
        _ start: Machine, _ rows: Range<Int>, _ tape: StudyTape, _ kept: inout StudyCheckpoints,
        _ isClosed: Bool, _ state: (Machine) -> StudyState
    ) -> StudyState {
        var machine = start
        for at in rows {
            if isClosed, StudyCheckpoints.isDue(tape.age(at)) { kept.append(state(machine)) }
            machine.step(at, tape)
        }
        return state(machine)
    }
}
