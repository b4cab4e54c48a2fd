import Testing

@testable import FinanceChartsKit

@Suite("What a chart reports to a screen reader")
@MainActor
struct AccessibilityTests {
    @Test("label, value and each bar in words")
    func words() {
        let controller = ChartController()
        controller.symbol = "BTC-USD"
        #expect(controller.accessibilityLabel == "Price chart, BTC-USD, 1 minute")
        #expect(controller.accessibilityValue == "No data.")
        controller.setData([
            .at(60, 100), Candle(timestamp: 120, open: 100, high: 112, low: 99.5, close: 110, volume: 1),
        ])
        #expect(controller.accessibilityValue == "110.00, up 10.00%")
        controller.setConnectionStatus(true)
        controller.append(.at(180, 99))
        #expect(controller.accessibilityValue == "99.00, down 10.00%, LIVE")
        #expect(
            controller.accessibilityText(ofBar: 1)
                == "Bar 2 of 3: open 100.00, high 112.00, low 99.50, close 110.00, up")
        #expect(controller.accessibilityText(ofBar: 3) == "" && controller.accessibilityText(ofBar: -1) == "")
        controller.moveCrosshair(byBars: -1)
        controller.moveCrosshair(byBars: -1)
        #expect(controller.hasCrosshair && controller.accessibilityValue.hasPrefix("Bar 2 of 3"))
        controller.setCrosshair(x: nil)
        #expect(!controller.hasCrosshair && controller.accessibilityValue == "99.00, down 10.00%, LIVE")
    }

    @Test("data, timeframe, limits, what was left out and the connection are announced")
    func announcements() {
        let controller = ChartController()
        controller.symbol = "X"
        var said: [String] = []
        controller.onAnnouncement = { said.append($0.text) }
        controller.setData([.at(60), .at(120), .at(180, -1)])
        controller.timeframe = .h1
        controller.setZoom(99)
        controller.setConnectionStatus(false)
        controller.setConnectionStatus(false)
        controller.setConnectionStatus(true)
        #expect(
            said == [
                "1 malformed candle left out.", "2 bars of X, 1 minute.", "Timeframe 1 hour.", "Limit reached.",
                "Reconnecting.", "Live.",
            ])
    }

    @Test("text grows with the user's font size")
    func fontScale() {
        let controller = ChartController()
        controller.setData(walk(100))
        func size() -> Double {
            controller.displayList().commands.filter { $0.opcode == .text }.map { $0.operands.number(3) }.max() ?? 0
        }
        let usual = size()
        controller.setFontScale(2)
        #expect(size() > usual * 1.8)
    }

    @Test("a key moves one bar, a held one faster up to ten, and turning begins anew")
    func acceleration() {
        var acceleration = PanAcceleration()
        var moved: [Int] = []
        for press in 0..<14 { moved.append(acceleration.bars(towards: 1, now: Double(press) * 0.0625)) }
        #expect(moved == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10])
        #expect(acceleration.bars(towards: -1, now: 0.875) == 1)
        #expect(acceleration.bars(towards: -1, now: 0.9375) == 2)
        #expect(acceleration.bars(towards: -1, now: 1.1) == 1)
    }
}
