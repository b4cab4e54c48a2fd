/// VWAP: the mean price of the session so far, weighed by volume.
///
///     VWAP = Σ (p * volume) / Σ volume   over the bars of the session up to this one;   p = (high + low + close) / 3
///
/// A session lasts a day and begins at a set time of the day, UTC; a bar belongs to the one in which it starts. In
/// units of price; no value while nothing was traded in the session. Source: Berkowitz, Logue and Noser, "The Total
/// Cost of Transactions on the NYSE", Journal of Finance 43 (1988), computed from bars as charts do.
struct SessionVWAP: StudyMachine {
    private let start: Double
    /// Whole days from 1970 to the session's beginning.
    private var session = -Double.infinity
    private var traded = 0.0
    private var volume = 0.0

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        start = settings[0] * 60
    }

    var reach: Int { 0 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let session = ((tape.timestamps[at] - start) / 86_400).rounded(.down)
        if session != self.session {
            self.session = session
            (traded, volume) = (0, 0)
        }
        traded += tape.price(at) * tape.volumes[at]
        volume += tape.volumes[at]
        tape.set(0, at, volume > 0 ? traded / volume : .nan)
    }
}

extension StudyDescription {
    static let vwap = StudyDescription(
        identifier: "vwap", name: "VWAP", title: "Volume-Weighted Average Price", placement: .price, source: .hlc3,
        parameters: [
            StudyParameter(name: "Session start (minutes after 00:00 UTC)", range: 0...1439, standard: 0, isWhole: true)
        ],
        outputs: [StudyOutput("VWAP")])
}
