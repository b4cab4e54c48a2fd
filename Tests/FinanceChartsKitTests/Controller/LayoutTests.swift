import FinanceChartsKit
import Foundation
import Testing

@Suite("A chart's layout")
@MainActor
struct LayoutTests {
    /// A chart with something of everything.
    private func furnished() throws -> ChartController {
        let controller = ChartController()
        controller.setData(walk(200))
        controller.overlays = [.ema20, .bollinger20]
        controller.indicators = [.rsi14]
        controller.volume = .pane
        controller.addStudy(StudySettings(.macd, parameters: [5, 9, 3]))
        controller.addStudy(StudySettings(.ema, parameters: [7], source: .hl2))
        controller.kind = .baseline
        controller.baseline = 101.5
        controller.priceScale = PriceScaleSettings(kind: .logarithmic, isInverted: true, range: 80...120)
        controller.setScale(ofPane: 1, PriceScaleSettings(range: 20...80))
        controller.setShare(ofPane: 2, 0.75)
        controller.setTimeZone("America/New_York")
        controller.timeScale = .time
        controller.fontScale = 1.25
        controller.setTheme(.light)
        let anchor = DrawingAnchor(time: 1_700_000_040, price: 100.25)
        controller.addDrawing(try #require(Drawing(.horizontalLine, [anchor], text: "a \"level\"".utf8)))
        return controller
    }

    @Test("it goes out as a document and comes into another chart, which then draws the same picture")
    func roundTrip() throws {
        let one = try furnished()
        one.selectedDrawing = nil
        let document = try one.layout.document()
        let layout = try ChartLayout(document: document)
        #expect(try layout.document() == document)
        let other = ChartController()
        other.setData(walk(200))
        other.layout = layout
        #expect(other.layout == layout)
        #expect(other.displayList() == one.displayList())
        #expect(other.overlays == one.overlays && other.indicators == one.indicators)
        #expect(other.panes.map(\.hasVolume) == [false, false, true, false])
        other.overlays = []
        #expect(other.studies.map(\.settings.kind) == [.ema, .rsi, .macd], "presets can be toggled again")
        other.layout = ChartLayout()
        let plain = ChartController()
        plain.setData(walk(200))
        #expect(other.displayList() == plain.displayList())
    }

    @Test("what a document leaves out is as in a new chart")
    func short() throws {
        #expect(
            try ChartLayout(document: #"{"format":"candlewire-layout","version":1}"#.utf8) == ChartLayout())
        let text = #"{"format":"candlewire-layout","version":1,"studies":[{"study":"rsi"},{"study":"ema:9"}]}"#
        let layout = try ChartLayout(document: text.utf8)
        #expect(layout.studies.map(\.pane) == [1, 0] && layout.panes.count == 2)
    }

    @Test(
        "a wrong one says where and what would do, and changes nothing",
        arguments: [
            ("", "not a JSON object"), ("[]", "not a JSON object"), ("{}", "format: it is missing"),
            (#"{"format":"x","version":1}"#, "candlewire-layout"),
            (#"{"format":"candlewire-layout","version":2}"#, "only version 1"),
            (#"{"format":"candlewire-layout","version":1,"colour":"red"}"#, "no such field; allowed are format"),
            (#"{"format":"candlewire-layout","version":1,"series":"pie"}"#, "one of candles, hollow"),
            (#"{"format":"candlewire-layout","version":1,"series":7}"#, "series: "),
            (#"{"format":"candlewire-layout","version":1,"font_scale":1e9}"#, "0.5 to 3"),
            (#"{"format":"candlewire-layout","version":1,"timezone":"Mars"}"#, "no time zone"),
            (
                #"{"format":"candlewire-layout","version":1,"theme":{"up":"red"}}"#,
                "theme.up: “red” is not a valid colour"
            ),
            (#"{"format":"candlewire-layout","version":1,"panes":[{"range":[2,1]}]}"#, "a lower and a higher price"),
            (#"{"format":"candlewire-layout","version":1,"panes":[{"share":0}]}"#, "0.01 to 100"),
            (#"{"format":"candlewire-layout","version":1,"panes":[{"scale":1}]}"#, "panes[0].scale: "),
            (#"{"format":"candlewire-layout","version":1,"studies":[{"study":"ema:0"}]}"#, "whole number from"),
            (#"{"format":"candlewire-layout","version":1,"studies":[{"study":"rsi","pane":1000000}]}"#, "0 to 16"),
            (#"{"format":"candlewire-layout","version":1,"drawings":"{}"}"#, "format, version and drawings"),
        ])
    func refused(document: String, part: String) throws {
        let controller = try furnished()
        let before = controller.layout
        do {
            controller.layout = try ChartLayout(document: document.utf8)
            Issue.record("accepted: \(document)")
        } catch {
            #expect("\(error.field): \(error)".contains(part), "\(error)")
        }
        #expect(controller.layout == before)
    }
}
