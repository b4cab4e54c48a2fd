import ArgumentParser
import FinanceChartsKit
import Foundation
import HistoryStore

/// `candlewire chart`: draws candles of a file or of the store into a picture.
struct ChartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart",
        abstract: "Draw candles from a CSV file or from the store as PNG, SVG or PDF, or write them as CSV.",
        discussion: """
            A CSV file has the columns timestamp (or date, time, datetime), open, high,
            low, close and perhaps volume. A name that is not a file is a symbol, whose
            candles come from the data directory that `candlewire serve` fills.

            EXAMPLES
              candlewire chart prices.csv --out prices.png
              candlewire chart prices.csv --timeframe 1h --bars 500 --out prices.svg
              candlewire chart BTC-USD --timeframe 5m --theme light --out btc.pdf
              candlewire chart prices.csv --study ema:20 --study bollinger --study rsi \\
                  --series heikin-ashi --price-scale log --out studies.png
              candlewire chart BTC-USD --timezone America/New_York --compare ETH-USD \\
                  --drawings btc-drawings.json --font-scale 1.25 --out compared.png
              candlewire chart prices.csv --study macd --bars 0 --out bars-with-macd.csv
              candlewire chart prices.csv --bars 80 --braille --out prices.png

            DRAWINGS
              --drawings reads the JSON document that the page exports.

            STUDIES
              A study is its name and, if not the usual ones, its parameters with colons
              between: \(ChartCommand.wrap(StudyNotation.help)).

            EXIT CODES
              0 written, 64 wrong usage, 66 the candles cannot be read,
              73 the picture cannot be written
            """)

    @Argument("A CSV file of candles, or a symbol of the store.", "FILE.csv|SYMBOL") var source: String
    @Option("Where to write; .png, .svg, .pdf or .csv decides the format.", "path") var out: String

    @Option(
        help: ArgumentHelp(
            "Timeframe: \(ChartCommand.timeframes). Finer candles are joined. "
                + "Default: the file's own, or 1m for a symbol."), transform: ChartCommand.timeframe)
    var timeframe: Timeframe?

    @Option(help: "Width in points, 100 to 8000.") var width = 1200
    @Option(help: "Height in points, 100 to 8000.") var height = 700
    @Option(help: "Pixels per point, 0.5 to 8; a PNG has width x scale pixels.") var scale = 2.0
    @Option(help: "Chart type: \(ChartCommand.choices("series")).") var series = "candles"
    @Option(help: "\(ChartCommand.choices("theme")), or a file NAME.json with colours of your own.") var theme = "dark"
    @Option(help: "Price scale: \(ChartCommand.choices("price_scale")).") var priceScale = "linear"
    @Option("The prices at the ends of the scale; auto fits what is shown.", "low:high") var priceRange = "auto"
    @Flag(help: "Invert the price scale.") var inverted = false
    @Option("Where --series baseline is filled to. Default: the middle.", "price") var baseline: String?

    @Option(help: "Where volume is: \(ChartCommand.choices("volume")); price is below the candles, pane its own pane.")
    var volume = "price"

    @Option("Time zone of the time axis, for example America/New_York.", "zone") var timezone = "UTC"

    @Option(help: "Bar spacing, equal or proportional to time: \(ChartCommand.choices("time_scale")).")
    var timeScale = "bars"

    @Option("A study to draw, or a column to write; may be repeated.", "study", parsing: .unconditionalSingleValue)
    var study: [String] = []

    @Option(
        "Another file or symbol, as a line in percent; may be repeated, 8 times at most.", "FILE.csv|SYMBOL",
        parsing: .unconditionalSingleValue)
    var compare: [String] = []

    @Option("A file of drawings to put on the chart.", "FILE.json") var drawings: String?
    @Option(help: "Text size factor, 0.5 to 3.") var fontScale = 1.0

    @Option(help: "How many of the newest candles to show; 0 shows all. A candle is 0.5 to 60 points wide.")
    var bars = 200

    @Flag(help: "Also print the closes as a line of braille, with their range in words.") var braille = false

    @Option("Data folder. Default: the user's.", "dir") var dataDir: String?

    func validate() throws {
        if output == nil { throw ValidationError("--out \(out): the name ends with .png, .svg, .pdf or .csv.") }
        try check(Double(width), "--width", ChartPicture.sides)
        try check(Double(height), "--height", ChartPicture.sides)
        try check(scale, "--scale", ChartPicture.pixelRatios)
        try check(Double(bars), "--bars", ChartPicture.barCounts)
        let pixels = Double(max(width, height)) * scale
        try valid(
            pixels <= 32_767,
            "--scale \(scale): the picture would be \(Int(pixels)) pixels long; the maximum is 32767.")
        do {
            _ = try picture()
        } catch let error as ExportError {
            let flag = error.field == "studies" ? "study" : error.field.replacing("_", with: "-")
            throw ValidationError("--\(flag): \(error)")
        }
    }

    private static let warmUp = 1000

    private enum Output { case image(ImageFormat), table }

    private var output: Output? {
        if let format = ImageFormat(path: out) { return .image(format) }
        return out.lowercased().hasSuffix(".csv") ? .table : nil
    }

    private func picture() throws -> ChartPicture {
        var picture = ChartPicture()
        picture.width = Double(width)
        picture.height = Double(height)
        picture.pixelRatio = scale
        picture.bars = bars
        if theme.lowercased().hasSuffix(".json") {
            picture.theme = try themeDocument()
        } else {
            try picture.set("theme", theme)
        }
        for (field, text) in [
            ("series", series), ("price_scale", priceScale), ("price_range", priceRange), ("volume", volume),
            ("timezone", timezone), ("studies", study.joined(separator: ",")), ("font_scale", "\(fontScale)"),
            ("time_scale", timeScale),
        ] { try picture.set(field, text) }
        if let baseline { try picture.set("baseline", baseline) }
        picture.scale.isInverted = inverted
        guard compare.count <= ChartView.maxComparisons else {
            throw ExportError("compare", "there are \(compare.count); the maximum is \(ChartView.maxComparisons).")
        }
        if let drawings { picture.drawings = try drawingDocument(drawings) }
        return picture
    }

    private func file(_ field: String, _ path: String) throws -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ExportError(field, "there is no file \(path).")
        }
        return data
    }

    private func themeDocument() throws -> Theme {
        let data = try file("theme", theme)
        do { return try Theme(document: data) } catch {
            throw ExportError("theme", "\(theme) is not a theme; \(error.description)")
        }
    }

    private func drawingDocument(_ path: String) throws -> [Drawing] {
        let data = try file("drawings", path)
        do { return try DrawingDocument.read(data) } catch {
            throw ExportError("drawings", "\(path): \(String(decoding: error.sentence, as: UTF8.self))")
        }
    }

    private static func choices(_ field: String) -> String { ChartPicture.choices(field).joined(separator: ", ") }

    /// A list broken into lines, as the help's text is.
    private static func wrap(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + word.count > 70 { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines.joined(separator: "\n  ")
    }

    static let timeframes = Timeframe.allCases.map(\.rawValue).joined(separator: " ")

    static func timeframe(_ text: String) throws -> Timeframe {
        try valid(Timeframe(rawValue: text), "“\(text)” is not a timeframe; allowed are \(timeframes).")
    }

    private func check(_ value: Double, _ name: String, _ range: ClosedRange<Double>) throws {
        try valid(
            range.contains(value),
            "\(name) must be from \(plain(range.lowerBound)) to \(plain(range.upperBound)); it is \(plain(value)).")
    }

    func run() async throws {
        // Before the first candle shown there are others, so that studies have their values there.
        let wanted = self.bars > 0 && !study.isEmpty ? self.bars + Self.warmUp : self.bars
        let source = ChartSource(name: source, timeframe: timeframe, bars: wanted, dataDirectory: dataDir)
        var picture = try picture()
        let bars: ChartBars
        do {
            bars = try await source.load()
            for name in compare {
                let other = ChartSource(name: name, timeframe: bars.timeframe, bars: wanted, dataDirectory: dataDir)
                let found = try await other.load()
                picture.comparisons.append(.init(symbol: found.title, candles: found.candles))
            }
        } catch { throw Failure.report(error, otherwise: 66) }

        let shown: Int
        do { shown = try write(bars, picture) } catch { throw Failure.report(error, otherwise: 73) }
        print("\(out): \(bars.summary(newest: shown))")
        let closes = bars.candles.suffix(shown).map(\.close)
        if braille, !closes.isEmpty {
            print(BrailleLine.text(closes))
            print(BrailleLine.words(closes, precision: PricePrecision.digits(of: bars.candles)))
        }
    }

    /// - Returns: how many bars are in the file.
    private func write(_ bars: ChartBars, _ picture: ChartPicture) throws -> Int {
        guard case .image(let format) = output else {
            var series = CandleSeries(capacity: max(bars.candles.count, 1))
            series.replaceAll(with: bars.candles)
            let newest = self.bars > 0 ? self.bars : nil
            try save(Data(BarsCSV.text(series, studies: picture.studies, newest: newest).utf8))
            return min(newest ?? series.count, series.count)
        }
        #if os(Linux)
            var chart = picture.chart(bars.candles, symbol: bars.title, timeframe: bars.timeframe)
            var list = DisplayList()
            chart.render(into: &list)
            let painter = try CairoPainter(
                width: picture.pixelWidth, height: picture.pixelHeight, pixelRatio: picture.pixelRatio)
            try save(Data(try painter.image(list, as: format)))
            return ChartPicture.shownBars(chart)
        #else
            throw CommandFailure(73, "Pictures are painted with Cairo, which this program has on Linux only.")
        #endif
    }

    private func save(_ data: Data) throws {
        do { try data.write(to: URL(fileURLWithPath: out), options: .atomic) } catch {
            throw CommandFailure(73, Self.reason(error, path: out))
        }
    }

    /// Why a file could not be written. Foundation's own words for a missing folder do not name it.
    static func reason(_ error: any Error, path: String) -> String {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory)
        if !exists { return "\(path) cannot be written: there is no folder \(folder)." }
        if !isDirectory.boolValue { return "\(path) cannot be written: \(folder) is a file." }
        return "\(path) cannot be written: \((error as NSError).localizedDescription)"
    }
}

/// A number without a needless `.0`.
func plain(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int(value)) : String(value)
}
