import ChartScene
import Foundation
import MarketModel
import TestKit
import Testing

@Suite("Themes")
struct ThemeTests {
    static let all: [(name: String, theme: Theme)] = [
        ("dark", .dark), ("light", .light), ("deuteranopia", .deuteranopia), ("high contrast", .highContrast),
    ]

    /// WCAG 2.1, relative luminance, by the C library's `pow`.
    private func luminance(_ colour: Colour) -> Double {
        func channel(_ shift: UInt32) -> Double {
            let value = Double(colour.rgba >> shift & 0xFF) / 255
            return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * channel(24) + 0.7152 * channel(16) + 0.0722 * channel(8)
    }

    private func contrast(_ a: Colour, _ b: Colour) -> Double {
        let (x, y) = (luminance(a), luminance(b))
        return (max(x, y) + 0.05) / (min(x, y) + 0.05)
    }

    @Test("the contrast of black and white is 21, and the engine's own is that of the C library")
    func oracle() {
        #expect(abs(contrast(Colour(rgb: 0), Colour(rgb: 0xFFFFFF)) - 21) < 1e-9)
        var random = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let a = Colour(rgb: UInt32(truncatingIfNeeded: random.next() & 0xFFFFFF))
            let b = Colour(rgb: UInt32(truncatingIfNeeded: random.next() & 0xFFFFFF))
            #expect(abs(a.contrast(to: b) - contrast(a, b)) < 1e-9)
        }
    }

    @Test("every text has a contrast of at least 4.5 to what it stands on", arguments: 0..<4)
    func text(number: Int) throws {
        let (name, theme) = Self.all[number]
        #expect(Theme.preset(number) == theme)
        for colour in [theme.axisText, theme.strongText, theme.upText, theme.downText] + theme.palette {
            #expect(contrast(colour, theme.background) >= 4.5, "\(name) \(String(colour.rgba, radix: 16))")
        }
        for colour in [theme.upLabel, theme.downLabel, theme.crosshairLabel] {
            #expect(contrast(theme.labelText, colour) >= 4.5, "\(name) \(String(colour.rgba, radix: 16))")
        }
        #expect(theme.lowestTextContrast >= 4.5)
    }

    @Test("every text of a whole picture is one of those pairs", arguments: 0..<4)
    func drawn(number: Int) {
        let theme = Self.all[number].theme
        var random = SeededGenerator(seed: 6)
        var view = ChartView(timeframe: .m1)
        view.resize(width: 900, height: 700, devicePixelRatio: 2)
        view.setSymbol("A".utf8, precision: 2)
        view.setTheme(theme)
        view.setData(random.candles(400))
        for kind in StudyKind.allCases.prefix(12) { view.addStudy(StudySettings(kind)) }
        view.setCrosshair(x: 300, y: 200)
        var list = DisplayList()
        view.render(into: &list)
        let boxes = list.commands.filter { $0.opcode == .roundRect }.map { $0.operands }
        let texts = list.commands.filter { $0.opcode == .text }.map { $0.operands }
        #expect(texts.count > 30 && boxes.count >= 3)
        for text in texts {
            // A label stands on its box, all else on the background.
            let box = boxes.last { box in
                text.number(2) > box.number(2) && text.number(2) < box.number(2) + box.number(4)
                    && text.word(0) == theme.labelText.rgba && text.number(1) >= box.number(1)
                    && text.number(1) <= box.number(1) + box.number(3)
            }
            let ground = box.map { Colour(rgba: $0.word(0)) } ?? theme.background
            #expect(contrast(Colour(rgba: text.word(0)), ground) >= 4.5)
        }
    }

    @Test("candles and lines have a contrast of at least 3 to the background", arguments: 0..<4)
    func candles(number: Int) {
        let theme = Self.all[number].theme
        for colour in [theme.up, theme.down, theme.line] + theme.palette {
            #expect(contrast(colour, theme.background) >= 3)
        }
    }

    @Test("dark, colour-blind safe, light, high contrast and custom themes, switched at run time")
    func presets() throws {
        #expect(Theme.dark.background == Colour(rgb: 0x141414) && Theme.dark.grid == Colour(rgba: 0x3333_3380))
        #expect(Theme.dark.strongText == Colour(rgb: 0xE6E6E6))
        #expect(Theme.deuteranopia.up == Colour(rgb: 0x0066CC) && Theme.deuteranopia.down == Colour(rgb: 0xCC6600))
        #expect(Theme.highContrast.lowestTextContrast >= 7)
        var custom = Theme.light
        custom.up = Colour(rgb: 0x005A9C)
        #expect(Theme(colours: custom.colours) == custom)
        #expect(Theme(colours: custom.colours.prefix(17)) == nil && Theme.preset(4) == nil)
        var view = ChartView()
        view.resize(width: 400, height: 300, devicePixelRatio: 1)
        var list = DisplayList()
        for theme in Self.all.map(\.theme) + [custom] {
            view.setTheme(theme)
            view.render(into: &list)
            #expect(list.commands.first { _ in true }?.operands.word(0) == theme.background.rgba)
        }
    }

    @Test("text is as large as the user's font", arguments: [0.5, 1.0, 1.5, 2, 3])
    func fontScale(scale: Double) {
        var view = ChartView()
        view.resize(width: 900, height: 600, devicePixelRatio: 2)
        view.setFontScale(scale)
        view.place(Candle(timestamp: 60, open: 1, high: 2, low: 1, close: 2, volume: 3), final: true)
        var list = DisplayList()
        view.render(into: &list)
        let sizes = list.commands.filter { $0.opcode == .text }.map { $0.operands.number(3) }
        #expect(sizes.min() == (20 * scale).rounded() && sizes.max() == (25 * scale).rounded())
    }
}
