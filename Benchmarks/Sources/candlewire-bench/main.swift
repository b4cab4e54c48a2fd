import Foundation

// Usage: candlewire-bench [--tsv] [--dump FOLDER] [aggregate] [messages] [encodings] [scene] [png] [trading] [books] [venues]
//                        --recordings FOLDER: where the recorded sessions are that "venues" reads
//                        --only VENUE: of "venues" that one alone, and no sessions; for a profiler
//        candlewire-bench storage FOLDER ROWS BATCH

var arguments = Array(CommandLine.arguments.dropFirst())
var dump: String?
if let index = arguments.firstIndex(of: "--dump"), index + 1 < arguments.count {
    dump = arguments[index + 1]
    arguments.removeSubrange(index...index + 1)
}
var recordings = "../../shared/data/recordings"
if let index = arguments.firstIndex(of: "--recordings"), index + 1 < arguments.count {
    recordings = arguments[index + 1]
    arguments.removeSubrange(index...index + 1)
}
var only: String?
if let index = arguments.firstIndex(of: "--only"), index + 1 < arguments.count {
    only = arguments[index + 1]
    arguments.removeSubrange(index...index + 1)
}
if let index = arguments.firstIndex(of: "--tsv") {
    Report.isTable = true
    arguments.remove(at: index)
}
if arguments.first == "storage" {
    guard arguments.count == 4, let rows = Int(arguments[2]), let batch = Int(arguments[3]) else { exit(64) }
    try await StorageBenchmark.run(folder: arguments[1], rows: rows, batch: batch)
    exit(0)
}
let all = arguments.isEmpty
if all || arguments.contains("aggregate") { AggregatorBenchmark.run() }
if all || arguments.contains("messages") { MessageBenchmark.run(dumpTo: dump) }
if all || arguments.contains("encodings") { EncodingBenchmark.run() }
if all || arguments.contains("scene") { SceneBenchmark.run() }
if all || arguments.contains("png") { try PNGBenchmark.run(dumpTo: dump) }
if all || arguments.contains("trading") { TradingBenchmark.run() }
if all || arguments.contains("books") { BookBenchmark.run() }
if all || arguments.contains("venues") {
    VenueBenchmark.run(recordings: recordings, dumpTo: dump, only: only)
}
