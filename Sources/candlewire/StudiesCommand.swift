import ArgumentParser
import FinanceChartsKit
import Foundation

/// `candlewire studies`: the values of a technical study as CSV.
struct StudiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studies",
        abstract: "Compute a technical study (RSI, MACD, ...) of candles and print it as CSV.",
        discussion: """
            Prints a line for each candle: its timestamp and the study's values with all their digits, empty where \
            there are not enough candles yet. Values stand at the candle they are computed from; where a chart draws \
            them elsewhere (Ichimoku), --list shows which. A CSV file has the columns timestamp (or date, time, \
            datetime), open, high, low, close and perhaps volume. A name that is not a file is a symbol, whose candles \
            come from the data directory that `candlewire serve` fills.

            EXAMPLES
              candlewire studies prices.csv --study rsi --parameters 14 > rsi.csv
              candlewire studies prices.csv --study macd --parameters 12,26,9
              candlewire studies BTC-USD --study bollinger --source hlc3
              candlewire studies --list
                  all studies with their parameters

            EXIT CODES
              0 printed, 64 wrong usage, 66 the candles cannot be read
            """)

    @Argument("A CSV file of candles, or a symbol of the store.", "FILE.csv|SYMBOL") var source: String?

    @Option(help: ArgumentHelp("Which study; --list names them.", valueName: "name"), transform: StudiesCommand.kind)
    var study: StudyKind?

    @Option(signed: "Its parameters in order, with commas; those left out have their usual values.", "numbers")
    var parameters: String?

    @Option(
        name: .customLong("source"),
        help: ArgumentHelp(
            "The price it is computed from: \(StudiesCommand.sources). Default: the study's own.", valueName: "price"),
        transform: StudiesCommand.price)
    var price: PriceSource?

    @Option(
        help: ArgumentHelp(
            "Timeframe: \(ChartCommand.timeframes). Finer candles are joined. "
                + "Default: the file's own, or 1m for a symbol."), transform: ChartCommand.timeframe)
    var timeframe: Timeframe?

    @Option("Data folder. Default: the user's.", "dir") var dataDir: String?
    @Flag(help: "List the studies with their parameters and outputs.") var list = false

    func validate() throws {
        guard !list else { return }
        try valid(source != nil, "Name a CSV file or a symbol, or use --list.")
        let study = try valid(study, "Name a study with --study: \(StudyListing.names).")
        _ = try Self.settings(study, parameters, price)
    }

    func run() async throws {
        if list { return _ = Console.write(StudyListing.text) }
        guard let source, let study else { return }
        let settings = try Self.settings(study, parameters, price)
        let origin = ChartSource(name: source, timeframe: timeframe, bars: 0, dataDirectory: dataDir)
        let bars: ChartBars
        do { bars = try await origin.load() } catch { throw Failure.report(error, otherwise: 66) }
        Console.write(Self.table(settings, of: bars.candles))
    }

    // MARK: Options

    private static let sources = PriceSource.allCases.map(\.identifier.description).joined(separator: " ")

    private static func kind(_ text: String) throws -> StudyKind {
        try valid(
            StudyKind(identifier: text.lowercased()), "“\(text)” is not a study; allowed are \(StudyListing.names).")
    }

    private static func price(_ text: String) throws -> PriceSource {
        try valid(PriceSource(identifier: text.lowercased()), "“\(text)” is not a price; allowed are \(sources).")
    }

    /// The settings, or a sentence on what is wrong with them: a number that would be clamped is refused here.
    private static func settings(
        _ kind: StudyKind, _ parameters: String?, _ price: PriceSource?
    ) throws -> StudySettings {
        let name = kind.identifier
        try valid(price == nil || kind.defaultSource != nil, "--source: \(name) is computed from whole candles.")
        let texts = parameters.map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        try valid(
            texts.count <= kind.parameters.count,
            "--parameters \(parameters ?? ""): \(name) has \(kind.parameters.count), not \(texts.count).")
        let values = try zip(texts, kind.parameters).map { text, parameter in
            let value = Double(text.trimmingCharacters(in: .whitespaces)).flatMap {
                parameter.clamped($0) == $0 ? $0 : nil
            }
            return try valid(value, "--parameters “\(text)”: \(StudyListing.text(of: parameter)).")
        }
        return StudySettings(kind, parameters: values, source: price)
    }

    /// A study's values as CSV: a line a candle.
    private static func table(_ settings: StudySettings, of candles: [Candle]) -> String {
        var series = CandleSeries(capacity: max(1, candles.count))
        series.replaceAll(with: candles)
        var study = StudyColumns(settings)
        study.rebuild(series)
        let outputs = settings.kind.outputs
        var text = (["timestamp"] + outputs.map(\.name.description)).joined(separator: ",") + "\n"
        for bar in 0..<series.count {
            text += plain(series.timestamp(at: bar))
            for output in outputs.indices {
                let value = study.value(output: output, at: bar)
                text += value.isNaN ? "," : ",\(value)"
            }
            text += "\n"
        }
        return text
    }
}

/// What `candlewire studies --list` prints.
enum StudyListing {
    /// "sma, ema, …"
    static let names = StudyKind.allCases.map(\.identifier.description).joined(separator: ", ")

    static var text: String { StudyKind.allCases.map(text(of:)).joined(separator: "\n") }

    private static func text(of kind: StudyKind) -> String {
        let place = kind.placement == .price ? "over the price" : "in a pane"
        var lines = ["\(kind.identifier)  \(kind.title), \(place)"]
        if !kind.parameters.isEmpty {
            lines.append("    parameters  " + kind.parameters.map(text(of:)).joined(separator: "\n                "))
        }
        if let source = kind.defaultSource { lines.append("    source      \(source.identifier)") }
        let settings = StudySettings(kind)
        let outputs = kind.outputs.indices.map { index in
            let shift = settings.shift(ofOutput: index)
            let side = shift > 0 ? "right" : "left"
            let drawn = shift == 0 ? "" : " (drawn \(shift.magnitude) further \(side), by the last parameter)"
            return "\(kind.outputs[index].name)\(drawn)"
        }
        lines.append("    outputs     " + outputs.joined(separator: "\n                "))
        return lines.joined(separator: "\n") + "\n"
    }

    /// "Period: 14, a whole number from 1 to 1000"
    static func text(of parameter: StudyParameter) -> String {
        "\(parameter.name): \(plain(parameter.standard)), a \(parameter.isWhole ? "whole " : "")number from "
            + "\(plain(parameter.range.lowerBound)) to \(plain(parameter.range.upperBound))"
    }
}
