import ArgumentParser
import FinanceChartsKit
import Foundation
import HistoryStore

/// `candlewire chart`: draws candles of a file or of the store into a picture.
struct ChartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart",
        abstract: "Draw candles from a CSV file or from the store as PNG, SVG or PDF.",
        discussion: """
            A CSV file has the columns timestamp (or date, time, datetime), open, high,
            low, close and perhaps volume. A name that is no file is a symbol, whose
            candles come from the data directory that `candlewire serve` fills.

            EXAMPLES
              candlewire chart prices.csv --out prices.png
              candlewire chart prices.csv --timeframe 1h --bars 500 --out prices.svg
              candlewire chart BTC-USD --timeframe 5m --theme light --out btc.pdf

            EXIT CODES
              0 written, 64 wrong usage, 66 the candles cannot be read,
              73 the picture cannot be written
            """)

    @Argument(help: ArgumentHelp("A CSV file of candles, or a symbol of the store.", valueName: "FILE.csv|SYMBOL"))
    var source: String

    @Option(help: ArgumentHelp("Where to write; .png, .svg or .pdf decides the format.", valueName: "path"))
    var out: String

    @Option(
        help: ArgumentHelp(
            "Length of a candle: \(ChartCommand.timeframes). Finer candles are joined. "
                + "Default: the file's own, or 1m for a symbol."),
        transform: ChartCommand.timeframe)
    var timeframe: Timeframe?

    @Option(help: "Width in points, 100 to 8000.")
    var width = 1200

    @Option(help: "Height in points, 100 to 8000.")
    var height = 700

    @Option(help: "Pixels per point, 0.5 to 8; a PNG has width x scale pixels.")
    var scale = 2.0

    @Option(help: "dark or light.")
    var theme = ChartTheme.dark

    @Option(help: "How many of the newest candles to show; 0 shows all. A candle is 0.5 to 60 points wide.")
    var bars = 200

    @Option(help: ArgumentHelp("Where the store is. Default: the user's data folder.", valueName: "dir"))
    var dataDir: String?

    func validate() throws {
        if ImageFormat(path: out) == nil {
            throw ValidationError("--out \(out): the name ends with .png, .svg or .pdf.")
        }
        try check(Double(width), "--width", 100...8000)
        try check(Double(height), "--height", 100...8000)
        try check(scale, "--scale", 0.5...8)
        try check(Double(bars), "--bars", 0...1_000_000)
        let pixels = Double(max(width, height)) * scale
        guard pixels <= 32_767 else {
            throw ValidationError(
                "--scale \(scale): the picture would be \(Int(pixels)) pixels long; 32767 is the most.")
        }
    }

    static let timeframes = Timeframe.allCases.map(\.rawValue).joined(separator: " ")

    static func timeframe(_ text: String) throws -> Timeframe {
        guard let timeframe = Timeframe(rawValue: text) else {
            throw ValidationError("“\(text)” is no timeframe; it is one of \(timeframes).")
        }
        return timeframe
    }

    private func check(_ value: Double, _ name: String, _ range: ClosedRange<Double>) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "\(name) \(plain(value)): it is \(plain(range.lowerBound)) to \(plain(range.upperBound)).")
        }
    }

    func run() async throws {
        let source = ChartSource(name: source, timeframe: timeframe, bars: bars, dataDirectory: dataDir)
        let bars: ChartBars
        do { bars = try await source.load() } catch { throw fail(error, 66) }

        var chart = bars.chart(width: Double(width), height: Double(height), scale: scale, newest: self.bars)
        chart.setTheme(theme == .dark ? .dark : .light)
        var picture = DisplayList()
        chart.render(into: &picture)

        let shown = bars.shown(in: chart)
        do { try write(picture) } catch { throw fail(error, 73) }
        print("\(out): \(bars.summary(newest: shown))")
    }

    private func write(_ picture: DisplayList) throws {
        #if os(Linux)
            let painter = try CairoPainter(
                width: Int((Double(width) * scale).rounded()), height: Int((Double(height) * scale).rounded()),
                pixelRatio: scale)
            guard let format = ImageFormat(path: out) else { return }
            let image = try painter.image(picture, as: format)
            do {
                try Data(image).write(to: URL(fileURLWithPath: out), options: .atomic)
            } catch {
                throw ChartFailure(Self.reason(error, path: out), code: 73)
            }
        #else
            throw ChartFailure("Pictures are painted with Cairo, which this program has on Linux only.")
        #endif
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

    /// Says the error and ends the program with a code of sysexits.h.
    private func fail(_ error: any Error, _ code: Int32) -> ExitCode {
        FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
        return ExitCode((error as? ChartFailure)?.code ?? code)
    }
}

/// One sentence for the user, and the code the program ends with (sysexits.h).
struct ChartFailure: Error, CustomStringConvertible {
    let description: String
    let code: Int32?

    init(_ description: String, code: Int32? = nil) {
        self.description = description
        self.code = code
    }
}

enum ChartTheme: String, CaseIterable, ExpressibleByArgument {
    case dark, light
}

/// A number without a needless `.0`.
private func plain(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
}
