/// The themes that a chart comes with.
extension Theme {
    public static let dark = Theme(
        background: Colour(rgb: 0x141414), grid: Colour(rgba: 0x3333_3380), axisLine: Colour(rgb: 0x2E2E2E),
        axisText: Colour(rgb: 0xA3A6AB), strongText: Colour(rgb: 0xE6E6E6),
        up: Colour(rgb: 0x2EBD6B), down: Colour(rgb: 0xE5484D),
        upVolume: Colour(rgba: 0x2EBD_6B52), downVolume: Colour(rgba: 0xE548_4D52),
        upText: Colour(rgb: 0x3FCB7D), downText: Colour(rgb: 0xF2686C),
        upLabel: Colour(rgb: 0x0E7A43), downLabel: Colour(rgb: 0xC4303A),
        crosshairLine: Colour(rgba: 0x9598_A1B0), crosshairLabel: Colour(rgb: 0x3C4048),
        labelText: Colour(rgb: 0xFFFFFF), line: Colour(rgb: 0x4C9AFF), areaFill: Colour(rgba: 0x4C9A_FF33),
        palette: [
            Colour(rgb: 0x5BA4FF), Colour(rgb: 0xF5A524), Colour(rgb: 0xC58AF9), Colour(rgb: 0x2CC5C5),
            Colour(rgb: 0xF77FB3), Colour(rgb: 0xB8CC52), Colour(rgb: 0xFF8B64), Colour(rgb: 0x9AA5FF),
        ])

    public static let light = Theme(
        background: Colour(rgb: 0xFFFFFF), grid: Colour(rgb: 0xF0F1F4), axisLine: Colour(rgb: 0xDDDFE5),
        axisText: Colour(rgb: 0x5A5F6B), strongText: Colour(rgb: 0x16181D),
        up: Colour(rgb: 0x14A05B), down: Colour(rgb: 0xDE3B45),
        upVolume: Colour(rgba: 0x14A0_5B52), downVolume: Colour(rgba: 0xDE3B_4552),
        upText: Colour(rgb: 0x0B7A43), downText: Colour(rgb: 0xC62A35),
        upLabel: Colour(rgb: 0x0E7A43), downLabel: Colour(rgb: 0xC4303A),
        crosshairLine: Colour(rgba: 0x6A6F_7BB0), crosshairLabel: Colour(rgb: 0x3C4048),
        labelText: Colour(rgb: 0xFFFFFF), line: Colour(rgb: 0x1769E0), areaFill: Colour(rgba: 0x1769_E02E),
        palette: [
            Colour(rgb: 0x1769E0), Colour(rgb: 0xA85A00), Colour(rgb: 0x8A3FD1), Colour(rgb: 0x0B7A7A),
            Colour(rgb: 0xC2266F), Colour(rgb: 0x5E6B00), Colour(rgb: 0xC2410C), Colour(rgb: 0x4F56D6),
        ])

    /// Blue rises, orange falls: distinct without red and green. The candles have exactly #0066CC and #CC6600; text
    /// and boxes with text are lighter or darker where those have less than 4.5:1.
    public static let deuteranopia = Theme(
        background: Colour(rgb: 0x141414), grid: Colour(rgba: 0x3333_3380), axisLine: Colour(rgb: 0x2E2E2E),
        axisText: Colour(rgb: 0xA3A6AB), strongText: Colour(rgb: 0xE6E6E6),
        up: Colour(rgb: 0x0066CC), down: Colour(rgb: 0xCC6600),
        upVolume: Colour(rgba: 0x0066_CC70), downVolume: Colour(rgba: 0xCC66_0070),
        upText: Colour(rgb: 0x5AA9F5), downText: Colour(rgb: 0xE58A2E),
        upLabel: Colour(rgb: 0x0066CC), downLabel: Colour(rgb: 0xA85400),
        crosshairLine: Colour(rgba: 0x9598_A1B0), crosshairLabel: Colour(rgb: 0x3C4048),
        labelText: Colour(rgb: 0xFFFFFF), line: Colour(rgb: 0x5AA9F5), areaFill: Colour(rgba: 0x0066_CC55),
        // After Okabe and Ito, "Color Universal Design" (2008), the two darkest ones lightened.
        palette: [
            Colour(rgb: 0x56B4E9), Colour(rgb: 0xE69F00), Colour(rgb: 0xF0E442), Colour(rgb: 0xCC79A7),
            Colour(rgb: 0x00B389), Colour(rgb: 0xF07F3C), Colour(rgb: 0x5AA9F5), Colour(rgb: 0xD0D0D0),
        ])

    /// Black and bright: text has at least 7:1 (WCAG 2.1, 1.4.6).
    public static let highContrast = Theme(
        background: Colour(rgb: 0x000000), grid: Colour(rgb: 0x3A3A3A), axisLine: Colour(rgb: 0xFFFFFF),
        axisText: Colour(rgb: 0xFFFFFF), strongText: Colour(rgb: 0xFFFFFF),
        up: Colour(rgb: 0x00E676), down: Colour(rgb: 0xFF7A7A),
        upVolume: Colour(rgba: 0x00E6_7680), downVolume: Colour(rgba: 0xFF7A_7A80),
        upText: Colour(rgb: 0x00E676), downText: Colour(rgb: 0xFF8A8A),
        upLabel: Colour(rgb: 0x00E676), downLabel: Colour(rgb: 0xFF8A8A),
        crosshairLine: Colour(rgb: 0xFFFF00), crosshairLabel: Colour(rgb: 0xFFFF00),
        labelText: Colour(rgb: 0x000000), line: Colour(rgb: 0x6EC1FF), areaFill: Colour(rgba: 0x6EC1_FF40),
        palette: [
            Colour(rgb: 0x6EC1FF), Colour(rgb: 0xFFB000), Colour(rgb: 0xFFFF00), Colour(rgb: 0xFF9AE0),
            Colour(rgb: 0x00FFD5), Colour(rgb: 0xD8B4FF), Colour(rgb: 0xFFA07A), Colour(rgb: 0xFFFFFF),
        ])

    /// By the boundary's number: 0 dark, 1 light, 2 deuteranopia, 3 high contrast; `nil` for another one.
    public static func preset(_ number: Int) -> Theme? {
        (0...3).contains(number) ? [dark, light, deuteranopia, highContrast][number] : nil
    }
}
