import FinanceChartsKit
import Testing

@MainActor
private final class Provider: ChartDataProvider {
    let symbol: String
    var calls: [String] = []
    init(_ controller: ChartController) { symbol = controller.symbol }
    func pauseUpdates() { calls.append("pause") }
    func resumeUpdates() { calls.append("resume") }
    func disconnect() { calls.append("disconnect") }
}

@Suite("The charts of several symbols")
@MainActor
struct SymbolChartsTests {
    @Test("add is idempotent, remove disconnects, get gives the one controller")
    func manager() {
        var made: [Provider] = []
        let charts = SymbolCharts { controller in
            made.append(Provider(controller))
            return made.last!
        }
        let first = charts.addSymbol("BTC-USD")
        #expect(charts.addSymbol("BTC-USD") === first && made.map(\.symbol) == ["BTC-USD"])
        #expect(charts.getController(for: "BTC-USD") === first && first.symbol == "BTC-USD")
        charts.addSymbol("ETH-USD")
        #expect(charts.symbols == ["BTC-USD", "ETH-USD"])
        charts.removeSymbol("BTC-USD")
        charts.removeSymbol("BTC-USD")
        #expect(made[0].calls == ["disconnect"] && charts.getController(for: "BTC-USD") == nil)
        #expect(charts.addSymbol("BTC-USD") !== first)
    }

    @Test("what is not on screen is paused once, and resumed on demand")
    func pause() {
        var made: [String: Provider] = [:]
        let charts = SymbolCharts { controller in
            let provider = Provider(controller)
            made[controller.symbol] = provider
            return provider
        }
        for symbol in ["A", "B", "C"] { charts.addSymbol(symbol) }
        charts.pauseInactiveSymbols()
        #expect(made.values.allSatisfy { $0.calls.isEmpty }, "the visible symbols are not known yet")
        charts.visibleSymbols = ["A", "X"]
        #expect(charts.isSymbolActive("A") && !charts.isSymbolActive("B") && !charts.isSymbolActive("X"))
        charts.pauseInactiveSymbols()
        charts.pauseInactiveSymbols()
        #expect(made["A"]?.calls == [] && made["B"]?.calls == ["pause"] && charts.isPaused("C"))
        charts.resumeSymbol("B")
        charts.resumeSymbol("B")
        charts.resumeSymbol("A")
        #expect(made["B"]?.calls == ["pause", "resume"] && made["A"]?.calls == [] && !charts.isPaused("B"))
    }
}
