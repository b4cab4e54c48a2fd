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

    @Option(help: "The script: one JSON object a line.")
    var script: String

    @Option(help: "Where the words go.")
    var out: String

    func run() throws {
        let text: String
        do {
            text = try String(contentsOf: URL(fileURLWithPath: script), encoding: .utf8)
        } catch {
            throw fail("\(script) cannot be read: \((error as NSError).localizedDescription)", 66)
        }
        var player = ScenePlayer()
        let decoder = JSONDecoder()
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where line.contains(where: { !$0.isWhitespace }) {
            do {
                try player.play(decoder.decode(SceneCall.self, from: Data(line.utf8)))
            } catch {
                throw fail("\(script), line \(index + 1): \(error)", 66)
            }
        }
        do {
            try Data(player.output).write(to: URL(fileURLWithPath: out), options: .atomic)
        } catch {
            throw fail(ChartCommand.reason(error, path: out), 73)
        }
        print("\(out): \(player.frames) display lists, \(player.output.count) bytes")
    }

    private func fail(_ sentence: String, _ code: Int32) -> ExitCode {
        FileHandle.standardError.write(Data("Error: \(sentence)\n".utf8))
        return ExitCode(code)
    }
}
