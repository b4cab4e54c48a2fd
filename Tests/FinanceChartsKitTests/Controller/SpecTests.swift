import FinanceChartsKit
import Foundation
import Testing

@Suite("The studies that a chart begins with")
@MainActor
struct SpecTests {
    @Test("they keep their numbers and names, and toggle one by one")
    func sets() throws {
        #expect(OverlaySpec.all.displayNames == ["EMA 20", "EMA 50", "SMA 20", "SMA 50", "Bollinger 20"])
        #expect(IndicatorSpec.all.displayNames == ["RSI 14", "MACD", "Stochastic"])
        #expect(OverlaySpec.all.rawValue == 31 && IndicatorSpec.all.rawValue == 7)
        let data = try JSONEncoder().encode([OverlaySpec.ema20.union(.bollinger20)])
        #expect(String(decoding: data, as: UTF8.self) == "[17]")
        #expect(try JSONDecoder().decode([OverlaySpec].self, from: data) == [[.ema20, .bollinger20]])
        let controller = ChartController()
        controller.toggleOverlay(.ema20)
        controller.toggleOverlay(.sma50)
        controller.toggleIndicator(.rsi14)
        #expect(controller.overlays == [.ema20, .sma50] && controller.indicators == .rsi14)
        controller.toggleOverlay(.ema20)
        controller.toggleIndicator(.rsi14)
        #expect(controller.overlays == .sma50 && controller.indicators == [])
    }

    @Test("each of them changes the picture, and is gone from it when removed")
    func drawn() {
        let controller = ChartController()
        controller.setData(walk(300))
        let without = controller.displayList()
        var pictures: [[UInt32]] = [without.words]
        for bit in 0..<5 {
            controller.toggleOverlay(OverlaySpec(rawValue: 1 << bit))
            pictures.append(controller.displayList().words)
            controller.toggleOverlay(OverlaySpec(rawValue: 1 << bit))
            #expect(controller.displayList() == without, "\(OverlaySpec(rawValue: 1 << bit).displayNames)")
        }
        for bit in 0..<3 {
            controller.toggleIndicator(IndicatorSpec(rawValue: 1 << bit))
            pictures.append(controller.displayList().words)
            controller.toggleIndicator(IndicatorSpec(rawValue: 1 << bit))
            #expect(controller.displayList() == without, "\(IndicatorSpec(rawValue: 1 << bit).displayNames)")
        }
        #expect(Set(pictures).count == 9)
    }

    @Test("indicators have panes of their own; each takes 30 % beside the price alone")
    func panes() throws {
        let controller = ChartController()
        controller.setData(walk(300))
        controller.indicators = [.rsi14]
        #expect(controller.studies.map(\.pane) == [1])
        controller.indicators = .all
        controller.overlays = .all
        #expect(controller.studies.count == 8)
        #expect(controller.studies.filter { $0.pane == 0 }.count == 5)
        #expect(Set(controller.studies.map(\.pane)) == [0, 1, 2, 3])
        controller.indicators = [.macd]
        #expect(controller.studies.filter { $0.pane > 0 }.map(\.settings.kind) == [.macd])
    }

    @Test("a study follows the bars, and has no value before there are enough")
    func values() throws {
        let candles = walk(60)
        let controller = ChartController()
        controller.overlays = [.sma20]
        controller.indicators = [.rsi14]
        controller.setData(Array(candles[..<19]))
        #expect(controller.studyValue(.sma) == nil)
        for candle in candles[19...] { controller.append(candle) }
        let mean = candles.suffix(20).map(\.close).reduce(0, +) / 20
        #expect(abs(try #require(controller.studyValue(.sma)) - mean) < 1e-9 * mean)
        let rsi = try #require(controller.studyValue(.rsi))
        #expect(rsi > 0 && rsi < 100)
        controller.timeframe = .h1
        #expect(controller.studyValue(.rsi) == nil && controller.studies.count == 2)
    }

    @Test("more studies can be added, and only those be removed")
    func more() throws {
        let controller = ChartController()
        controller.overlays = [.ema20]
        let id = try #require(controller.addStudy(StudySettings(.ema, parameters: [7])))
        let preset = try #require(controller.studies.first).id
        controller.removeStudy(preset)
        #expect(controller.studies.count == 2)
        controller.overlays = []
        #expect(controller.studies.map(\.id) == [id])
        controller.removeStudy(id)
        #expect(controller.studies.isEmpty)
    }
}
