import ChartScene
import Foundation
import Testing

@Suite("Themes")
struct ThemeTests {
    /// WCAG 2.1, relative luminance.
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

    @Test("the contrast of black and white is 21")
    func oracle() {
        #expect(abs(contrast(Colour(rgb: 0), Colour(rgb: 0xFFFFFF)) - 21) < 1e-9)
    }

    @Test("text has a contrast of at least 4.5 to what it stands on", arguments: [Theme.dark, .light])
    func text(theme: Theme) {
        for colour in [theme.axisText, theme.strongText, theme.upText, theme.downText] {
            #expect(contrast(colour, theme.background) >= 4.5)
        }
        for colour in [theme.upLabel, theme.downLabel, theme.crosshairLabel] {
            #expect(contrast(theme.labelText, colour) >= 4.5)
        }
    }

    @Test("candles have a contrast of at least 3 to the background", arguments: [Theme.dark, .light])
    func candles(theme: Theme) {
        #expect(contrast(theme.up, theme.background) >= 3)
        #expect(contrast(theme.down, theme.background) >= 3)
    }
}
