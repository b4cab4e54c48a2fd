import FinanceChartsKit
import Testing

@Suite("What a user chooses about a controller's chart")
@MainActor
struct LookTests {
    private func controller(_ bars: Int = 200) -> ChartController {
        let controller = ChartController()
        controller.symbol = "BTC-USD"
        controller.setData(walk(bars))
        return controller
    }

    @Test("each setting changes the picture, reads back, and set again changes nothing")
    func settings() throws {
        let controller = controller()
        func changes(_ name: String, _ body: () -> Void) {
            let before = controller.displayList()
            body()
            #expect(controller.displayList() != before, "\(name)")
            let revision = controller.revision
            body()
            #expect(controller.revision == revision, "\(name) again")
        }
        for kind in SeriesKind.allCases where kind != .candles { changes("\(kind)") { controller.kind = kind } }
        #expect(controller.kind == .histogram)
        changes("baseline kind") { controller.kind = .baseline }
        changes("baseline") { controller.baseline = 95 }
        #expect(controller.baseline == 95)
        changes("volume pane") { controller.volume = .pane }
        #expect(controller.panes.map(\.hasVolume) == [false, true])
        changes("no volume") { controller.volume = .off }
        changes("zone") { controller.timeZone = TimeZoneRules("Asia/Tokyo") ?? .utc }
        changes("step") { controller.tickSize = 7 }
        changes("font") { controller.fontScale = 1.5 }
        #expect(controller.fontScale == 1.5 && controller.tickSize == 7)
    }

    @Test("the price scale is linear, logarithmic, percent or indexed, fixed, and upside down")
    func scales() throws {
        let controller = controller()
        for kind in PriceScaleKind.allCases {
            controller.priceScale.kind = kind
            #expect(controller.priceScale.kind == kind)
        }
        controller.priceScale = PriceScaleSettings(range: 50...150)
        #expect(controller.scale(ofPane: 0)?.range == 50...150)
        let upright = controller.displayList()
        controller.priceScale.isInverted = true
        #expect(controller.displayList() != upright)
        controller.priceScale.range = 0 ... .infinity
        #expect(controller.priceScale.range == nil)
        controller.indicators = [.rsi14]
        controller.setScale(ofPane: 1, PriceScaleSettings(kind: .percent, range: 20...80))
        #expect(controller.scale(ofPane: 1) == PriceScaleSettings(range: 20...80), "percent is of prices")
        controller.setScale(ofPane: 7, PriceScaleSettings())
        #expect(controller.scale(ofPane: 7) == nil)
        controller.setShare(ofPane: 1, 1)
        #expect(controller.panes.map(\.share) == [1, 1])
    }

    @Test("time zones by their names; one that is unknown changes nothing")
    func zones() {
        let controller = controller()
        #expect(controller.setTimeZone("America/New_York"))
        let before = controller.timeZone
        #expect(!controller.setTimeZone("Mars/Olympus"))
        #expect(controller.timeZone == before)
    }

    @Test("themes change while the chart is shown, also to those of documents")
    func themes() throws {
        let controller = controller()
        try controller.setTheme(document: ##"{"base":"light","up":"#0066CC"}"##.utf8)
        #expect(controller.theme.background == Theme.light.background)
        #expect(controller.theme.up == Colour(rgb: 0x0066CC))
        for text in [#"{"up":"blue"}"#, #"{"base":"pink"}"#, "[", ""] {
            #expect(throws: ExportError.self) { try controller.setTheme(document: text.utf8) }
        }
        do {
            try controller.setTheme(document: #"{"up":"blue"}"#.utf8)
        } catch {
            #expect(error.description == "up: “blue” is not a valid colour; use #RRGGBB or #RRGGBBAA.")
        }
        #expect(controller.theme.up == Colour(rgb: 0x0066CC), "the theme stays as it was")
    }

    @Test("other symbols are compared in percent, and the scale comes back when they go")
    func comparison() throws {
        let controller = controller()
        let alone = controller.displayList()
        let id = try #require(controller.addComparison("ETH-USD", candles: walk(200, seed: 8)))
        #expect(controller.priceScale.kind == .percent)
        #expect(controller.displayList() != alone)
        let next = walk(201, seed: 8)[200]
        #expect(controller.place(next, ofComparison: id) == .applied)
        #expect(controller.comparisons.map(\.series.count) == [201])
        #expect(controller.place(next, ofComparison: id + 1) == .rejected(.malformed))
        controller.removeComparison(id)
        #expect(controller.priceScale.kind == .linear && controller.displayList() == alone)
    }

    @Test("a date is brought to the middle")
    func goTo() throws {
        let controller = controller(2000)
        let bar = try #require(controller.candle(at: 1000))
        controller.go(toTime: bar.timestamp)
        #expect(!controller.isFollowing)
        controller.setCrosshair(x: 400)
        #expect(abs(try #require(controller.legend).index - 1000) < 12)
    }
}
