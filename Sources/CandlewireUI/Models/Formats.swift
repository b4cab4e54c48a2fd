public import Foundation
public import TradingCore

/// Numbers and times as a person reads them, in the person's locale. An en dash stands for a value that is not known.
public struct Formats: Sendable, Equatable {
    public var locale: Locale
    public var timeZone: TimeZone

    public init(locale: Locale = .autoupdatingCurrent, timeZone: TimeZone = .autoupdatingCurrent) {
        self.locale = locale
        self.timeZone = timeZone
    }

    static let unknown = "–"
    private static let minus = "−"

    // MARK: Prices of markets

    /// With the market's decimals, grouped: `67,234.50`.
    public func price(_ value: Double?, precision: Int) -> String {
        guard let value, value.isFinite else { return Self.unknown }
        return value.formatted(
            .number.precision(.fractionLength(max(0, precision))).rounded(rule: .toNearestOrAwayFromZero).locale(locale)
        )
    }

    /// With its sign, and none where it is shown as zero: `+1.24%`, `0.00%`.
    public func percent(_ value: Double?) -> String {
        guard let value, value.isFinite else { return Self.unknown }
        return signed(price(value.magnitude, precision: 2), isNegative: value < 0) + "%"
    }

    /// As ``percent(_:)``, with the market's decimals.
    public func change(_ value: Double?, precision: Int) -> String {
        guard let value, value.isFinite else { return Self.unknown }
        return signed(price(value.magnitude, precision: precision), isNegative: value < 0)
    }

    /// A volume, short: `12.30K`; below 1 with four digits that count.
    public func volume(_ value: Double?) -> String {
        guard let value, value.isFinite else { return Self.unknown }
        if value > 0, value < 1 {
            return value.formatted(.number.precision(.significantDigits(4)).locale(locale))
        }
        return value.formatted(.number.notation(.compactName).precision(.fractionLength(2)).locale(locale))
    }

    // MARK: Money

    /// Grouped and rounded to so many decimals.
    public func decimal(_ value: ExactDecimal?, decimals: Int) -> String {
        guard let value, let number = Decimal(string: value.description, locale: Self.wire) else { return Self.unknown }
        let style = Decimal.FormatStyle(locale: locale).precision(.fractionLength(max(0, decimals)))
            .rounded(rule: .toNearestOrAwayFromZero)
        // The sign is a real minus sign, also for what a screen reader says.
        let size = number.magnitude.formatted(style)
        return value.isNegative && isSeen(size) ? Self.minus + size : size
    }

    /// All digits that there are, grouped: a quantity.
    public func exact(_ value: ExactDecimal?) -> String {
        let digits = value?.description.split(separator: ".").dropFirst().first?.count ?? 0
        return decimal(value, decimals: digits)
    }

    /// With its sign, for profit: `+111.73`, `−4.20`, `0.00`.
    public func signed(_ value: ExactDecimal?, decimals: Int = 2) -> String {
        guard let value else { return Self.unknown }
        return signed(decimal(value.magnitude, decimals: decimals), isNegative: value.isNegative)
    }

    /// An amount with its currency: `1,204.50 USD`.
    public func money(_ value: ExactDecimal?, _ currency: String) -> String {
        "\(decimal(value, decimals: QuoteCurrency.decimals(of: currency))) \(currency)"
    }

    // MARK: Times

    /// A time of day, with seconds.
    public func time(_ timestamp: Double?) -> String {
        guard let timestamp else { return Self.unknown }
        var style = Date.FormatStyle(date: .omitted, time: .standard, locale: locale)
        style.timeZone = timeZone
        return Date(timeIntervalSince1970: timestamp).formatted(style)
    }

    /// A day, `21 Nov 2026` in British English.
    public func day(_ timestamp: Double) -> String {
        var style = Date.FormatStyle(date: .abbreviated, time: .omitted, locale: locale)
        style.timeZone = timeZone
        return Date(timeIntervalSince1970: timestamp).formatted(style)
    }

    // MARK: What a person types

    /// Reads a number in the locale's writing: `67,250.50`, in German `67.250,50`. A mark that groups digits must stand
    /// between groups of three, so that `1.5` is never read as 15.
    /// - Returns: `nil` for anything else.
    public func number(_ text: String) -> ExactDecimal? {
        let point = locale.decimalSeparator ?? "."
        let group = locale.groupingSeparator ?? ","
        let text = text.trimmingCharacters(in: .whitespaces).replacing(Self.minus, with: "-")
        let marks = point + group + "-"
        guard text.allSatisfy({ ("0"..."9").contains($0) || marks.contains($0) }) else { return nil }
        let parts = text.components(separatedBy: point)
        guard parts.count <= 2, !parts[0].isEmpty || parts.count == 2 else { return nil }
        let groups = parts[0].components(separatedBy: group)
        if groups.count > 1 {
            let first = groups[0].drop { $0 == "-" }.count
            guard 1...3 ~= first, groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
        }
        let whole = groups.joined()
        return ExactDecimal(parts.count == 2 ? "\(whole.isEmpty ? "0" : whole).\(parts[1])" : whole)
    }

    private static let wire = Locale(identifier: "en_US_POSIX")

    private func signed(_ size: String, isNegative: Bool) -> String {
        isSeen(size) ? (isNegative ? Self.minus : "+") + size : size
    }

    /// Whether a number is shown as another one than zero.
    private func isSeen(_ text: String) -> Bool { text.contains { ($0.wholeNumberValue ?? 0) > 0 } }
}
