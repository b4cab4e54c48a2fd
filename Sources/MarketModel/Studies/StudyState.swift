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

    /// Computes the values of rows. Of closed ones (`isClosed`) a state at every `StudyCheckpoints.distance` bars is kept.
    @inline(never)
    mutating func advance(_ rows: Range<Int>, _ tape: StudyTape, _ kept: inout StudyCheckpoints, isClosed: Bool = true)
    {
        switch self {
        case .sma(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.sma)
        case .ema(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.ema)
        case .wma(let machine): self = Self.run(machine, rows, tape, &kept, isClosed, Self.wma)
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
