import ArgumentParser
import FinanceChartsKit
import Foundation

/// `candlewire scene`: plays a script of chart calls and writes the display lists, so that a test can compare them byte
/// for byte with those of the WebAssembly module.
///
/// The script has one JSON object a line, `{"call":"resize","args":[1440,900,2]}`; the calls are the module's exports
/// without `cw_chart_` and without the handle. Each `render` appends the number of words and the words to the output,
/// 32 bits each, little-endian.
struct SceneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scene", abstract: "Replay a script of chart calls into display lists.", shouldDisplay: false)

    @Option(help: "The script: one JSON object a line.") var script: String
    @Option(help: "Where the words go.") var out: String

    func run() throws {
        let text: String
        do { text = try String(contentsOf: URL(fileURLWithPath: script), encoding: .utf8) } catch {
            throw Failure.report("\(script) cannot be read: \((error as NSError).localizedDescription)", code: 66)
        }
        var player = ScenePlayer()
        let decoder = JSONDecoder()
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where line.contains(where: { !$0.isWhitespace }) {
            do { try player.play(decoder.decode(SceneCall.self, from: Data(line.utf8))) } catch {
                throw Failure.report("\(script), line \(index + 1): \(error)", code: 66)
            }
        }
        do { try Data(player.output).write(to: URL(fileURLWithPath: out), options: .atomic) } catch {
            throw Failure.report(ChartCommand.reason(error, path: out), code: 73)
        }
        print("\(out): \(player.frames) display lists, \(player.output.count) bytes")
    }
}

/// One line of a scene's script.
struct SceneCall: Decodable {
    var call: String
    var arguments: [SceneValue]

    private enum CodingKeys: String, CodingKey { case call, args }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        call = try values.decode(String.self, forKey: .call)
        arguments = try values.decodeIfPresent([SceneValue].self, forKey: .args) ?? []
    }

    private func value<Value>(_ index: Int, _ what: String, _ read: (SceneValue) -> Value?) throws -> Value {
        guard index < arguments.count, let value = read(arguments[index]) else {
            throw CommandFailure(66, "\(call) needs \(what) as argument \(index + 1).")
        }
        return value
    }

    func number(_ index: Int) throws -> Double {
        try value(index, "a number") { if case .number(let number) = $0 { number } else { nil } }
    }

    /// As JavaScript hands a number to an `i32` parameter.
    func integer(_ index: Int) throws -> Int {
        let number = try number(index)
        return try value(index, "a 32-bit integer") { _ in Int32(exactly: number.rounded(.towardZero)).map { Int($0) } }
    }

    /// The number of a setting; one that no setting has where it does not fit.
    func byte(_ index: Int) throws -> UInt8 { UInt8(exactly: try integer(index)) ?? .max }

    /// A colour as 0xRRGGBBAA; `nil` where the number is none.
    func colour(_ index: Int) throws -> Colour? { UInt32(exactly: try number(index)).map { Colour(rgba: $0) } }

    func text(_ index: Int) throws -> String {
        try value(index, "a string") { if case .text(let text) = $0 { text } else { nil } }
    }

    /// Six numbers from this argument on: timestamp, open, high, low, close, volume.
    func candle(from index: Int) throws -> Candle { Self.candle(try (index..<index + 6).map(number)) }

    private static func candle(_ row: [Double]) -> Candle {
        Candle(timestamp: row[0], open: row[1], high: row[2], low: row[3], close: row[4], volume: row[5])
    }

    /// A list of `[timestamp, open, high, low, close, volume]`.
    func candles(_ index: Int) throws -> [Candle] {
        let rows = try value(index, "a list of rows of six numbers") {
            if case .rows(let rows) = $0 { rows } else { nil }
        }
        return try rows.map { row in
            guard row.count == 6 else { throw CommandFailure(66, "\(call): a row has six numbers, not \(row.count).") }
            return Self.candle(row)
        }
    }

    /// Whether an argument that may be left out is there and not zero.
    func flag(_ index: Int) throws -> Bool { try index < arguments.count && number(index) != 0 }
}

/// An argument: a number (true and false are 1 and 0, null is NaN), a string, or rows of numbers.
enum SceneValue: Decodable {
    case number(Double)
    case text(String)
    case rows([[Double]])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .number(.nan)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let flag = try? value.decode(Bool.self) {
            self = .number(flag ? 1 : 0)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else {
            self = .rows(try value.decode([[Double]].self))
        }
    }
}
