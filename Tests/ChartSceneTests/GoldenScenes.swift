import ChartScene
import MarketModel
import TestKit

/// A picture that is kept as text, so that a change of it is seen and meant.
struct GoldenScene: Sendable {
    let name: String
    var width = 480.0
    var height = 320.0
    let prepare: @Sendable (inout ChartView) -> Void

    /// 240 bars of five minutes, of which about sixty are on screen.
    func chart(ratio: Double = 1) -> ChartView {
        var random = SeededGenerator(seed: 4)
        var view = ChartView(timeframe: .m5)
        view.resize(width: width, height: height, devicePixelRatio: ratio)
        view.setSymbol("BTC-USD".utf8, precision: 2)
        view.setData(random.candles(240, timeframe: .m5))
        prepare(&view)
        return view
    }

    static let all: [GoldenScene] = kinds + scales + times + panes + themes + studies + compared

    static let kinds = SeriesKind.allCases.map { kind in
        GoldenScene(name: "kind-\(kind)") { $0.setKind(kind) }
    }

    static let scales: [GoldenScene] =
        PriceScaleKind.allCases.flatMap { kind in
            [false, true].map { inverted in
                GoldenScene(name: "scale-\(kind)\(inverted ? "-inverted" : "")") {
                    $0.setScale(ofPane: 0, PriceScaleSettings(kind: kind, isInverted: inverted))
                }
            }
        } + [
            GoldenScene(name: "scale-fixed") { $0.setScale(ofPane: 0, PriceScaleSettings(range: 80...140)) },
            GoldenScene(name: "scale-logarithmic-decades") {
                $0.setScale(ofPane: 0, PriceScaleSettings(kind: .logarithmic, range: 3...4000))
            },
            GoldenScene(name: "scale-tick-size") {
                $0.setSymbol("ES".utf8, precision: 2, tickSize: 0.25)
                $0.setScale(ofPane: 0, PriceScaleSettings(range: 100...102.5))
            },
        ]

    /// Two weeks of days and two nights: what is not traded is as wide as it is long.
    static let times: [GoldenScene] = [
        GoldenScene(name: "time-days") {
            var random = SeededGenerator(seed: 6)
            $0.setTimeframe(.d1)
            let days = random.candles(80, timeframe: .d1, from: 1_699_833_600)
            $0.setData(days.enumerated().filter { $0.offset % 7 < 5 }.map(\.element))
            $0.setTimeScale(.time)
            $0.addStudy(StudySettings(.ichimoku))
            $0.setCrosshair(x: 200, y: 100)
        },
        GoldenScene(name: "time-nights") {
            var random = SeededGenerator(seed: 7)
            let day = random.candles(240, timeframe: .m5)
            $0.setData(day.enumerated().filter { $0.offset % 80 < 50 }.map(\.element))
            $0.setTimeScale(.time)
            $0.setKind(.area)
            $0.zoom(by: 0.1, atX: 200)
        },
    ]

    static let panes: [GoldenScene] = [
        GoldenScene(name: "pane-volume") { $0.setVolume(.pane) },
        GoldenScene(name: "pane-no-volume") { $0.setVolume(.off) },
        GoldenScene(name: "pane-crosshair") {
            $0.addStudy(StudySettings(.rsi))
            $0.setCrosshair(x: 200, y: 240)
        },
        GoldenScene(name: "pane-three", height: 420) {
            $0.addStudy(StudySettings(.rsi))
            $0.addStudy(StudySettings(.macd))
            $0.dragDivider(below: 0, byPixels: -40)
            $0.setVolume(.pane)
        },
        GoldenScene(name: "pane-large-text") {
            $0.setFontScale(1.5)
            $0.setCrosshair(x: 200, y: 120)
        },
        GoldenScene(name: "zoomed-out") { $0.zoom(by: 0.2, atX: 200) },
        GoldenScene(name: "zoomed-out-line") {
            $0.setKind(.area)
            $0.zoom(by: 0.1, atX: 200)
            $0.addStudy(StudySettings(.bollinger))
        },
    ]

    static let themes: [GoldenScene] = [
        ("light", Theme.light), ("deuteranopia", .deuteranopia), ("high-contrast", .highContrast),
    ].map { name, theme in
        GoldenScene(name: "theme-\(name)") {
            $0.setTheme(theme)
            $0.addStudy(StudySettings(.ema))
            $0.setCrosshair(x: 250, y: 100)
        }
    }

    static let studies = StudyKind.allCases.map { kind in
        GoldenScene(name: "study-\(kind.identifier)") { $0.addStudy(StudySettings(kind)) }
    }

    static let compared: [GoldenScene] = [("percent", PriceScaleKind.percent), ("indexed", .indexed)].map {
        name, kind in
        GoldenScene(name: "compare-\(name)") {
            var random = SeededGenerator(seed: 5)
            for (symbol, count) in [("ETH-USD", 240), ("SOL-USD", 200)] {
                guard let id = $0.addComparison(symbol.utf8, precision: 2) else { continue }
                let candles = random.candles(count, timeframe: .m5, from: 1_700_000_040 + Double(240 - count) * 300)
                $0.setData(ofComparison: id, candles)
            }
            $0.setScale(ofPane: 0, PriceScaleSettings(kind: kind))
        }
    }
}
