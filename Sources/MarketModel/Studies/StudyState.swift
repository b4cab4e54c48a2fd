/// The machine of whichever kind the settings name.
enum StudyState: Sendable {
    case sma(SimpleMovingAverage)
    case ema(ExponentialMovingAverage)
    case bollinger(BollingerBands)
    case rsi(RelativeStrengthIndex)
    case macd(MovingAverageConvergence)
    case stochastic(StochasticOscillator)

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        switch settings.kind {
        case .sma: self = .sma(.init(settings, &plan))
        case .ema: self = .ema(.init(settings, &plan))
        case .bollinger: self = .bollinger(.init(settings, &plan))
        case .rsi: self = .rsi(.init(settings, &plan))
        case .macd: self = .macd(.init(settings, &plan))
        case .stochastic: self = .stochastic(.init(settings, &plan))
        }
    }

    var reach: Int {
        switch self {
        case .sma(let machine): machine.reach
        case .ema(let machine): machine.reach
        case .bollinger(let machine): machine.reach
        case .rsi(let machine): machine.reach
        case .macd(let machine): machine.reach
        case .stochastic(let machine): machine.reach
        }
    }

    /// Takes in closed rows; a state at every `StudyCheckpoints.distance` bars is kept.
    mutating func advance(_ rows: Range<Int>, _ tape: StudyTape, _ kept: inout StudyCheckpoints) {
        switch self {
        case .sma(let machine): self = Self.run(machine, rows, tape, &kept, Self.sma)
        case .ema(let machine): self = Self.run(machine, rows, tape, &kept, Self.ema)
        case .bollinger(let machine): self = Self.run(machine, rows, tape, &kept, Self.bollinger)
        case .rsi(let machine): self = Self.run(machine, rows, tape, &kept, Self.rsi)
        case .macd(let machine): self = Self.run(machine, rows, tape, &kept, Self.macd)
        case .stochastic(let machine): self = Self.run(machine, rows, tape, &kept, Self.stochastic)
        }
    }

    /// Computes the values of a row that may still change.
    func peek(_ at: Int, _ tape: StudyTape) {
        switch self {
        case .sma(var machine): machine.step(at, tape)
        case .ema(var machine): machine.step(at, tape)
        case .bollinger(var machine): machine.step(at, tape)
        case .rsi(var machine): machine.step(at, tape)
        case .macd(var machine): machine.step(at, tape)
        case .stochastic(var machine): machine.step(at, tape)
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
