import ArgumentParser
import Foundation
import MarketFeeds

/// `candlewire trades`: what a recording holds, read as the server reads it.
struct TradesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trades",
        abstract: "Show what a recorded session of a venue holds: its trades, and what was lost.",
        discussion: """
            Reads the messages as `serve --feed replay:FILE` does, and lists the markets
            with their trades, the messages by what they are about, and each loss with its
            reason: repeated trades, numbers that are missing, messages that cannot be read.
            Trades are the new ones, those with which a subscription begins among them.

            --json prints a document with every trade (symbol, the venue's id, price and
            volume with the digits the venue wrote, seconds since 1970, and whether the one
            who came second bought or sold) and the venue's own closed candles.

            EXAMPLES
              candlewire trades session.jsonl.gz
              candlewire trades session.jsonl --venue bitfinex --json > trades.json

            EXIT CODES
              0 shown, 64 wrong usage, 66 the recording cannot be read
            """)

    @Argument(help: ArgumentHelp("The recording: .jsonl or .jsonl.gz.", valueName: "FILE"))
    var file: String

    @Option(
        help: ArgumentHelp(
            "The venue of the messages, where it cannot be detected: \(Venue.allowedNames).", valueName: "venue"))
    var venue: String?

    @Flag(help: "Print all trades and candles as a JSON document.")
    var json = false

    func run() async throws {
        try await Failure.exitCleanly {
            let known = try venue.map { name throws(FeedError) in try Venue(named: name) }
            let recording = try Recording(path: file, venue: known, needsTrades: false)
            if let note = recording.note { Console.writeError("\(note)\n") }
            let name = URL(fileURLWithPath: file).lastPathComponent
            if json {
                Console.write(Data(TradesDocument(recording, name: name).bytes))
            } else {
                Console.write(TradesListing(recording, name: name).text(on: .standardOutput))
            }
        }
    }
}
