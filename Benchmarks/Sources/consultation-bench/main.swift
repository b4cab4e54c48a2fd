import Foundation

// Usage: consultation-bench [CONVERSATIONS] [SECONDS]
// So many conversations with a whole server over real sockets, each of them answered with fifty words a second at the same
// time; how long after the moment at which it was due a client has each word, and what memory and time the server took.
//
// The server is this program once more (`--serve WORDS`), so that its memory and time are its own.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--serve" {
    try await BenchServer.run(words: arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000)
    exit(0)
}
let seconds = arguments.dropFirst().first.flatMap { Double($0) } ?? 20
let server = Process()
server.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
server.arguments = ["--serve", "\(PacedModel.words(in: seconds))"]
let output = Pipe()
server.standardOutput = output
try server.run()
let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
    server.terminate()
    throw BenchError.noServer
}
let bench = ConsultationBench(
    conversations: arguments.first.flatMap { Int($0) } ?? 1_000, seconds: seconds, port: port,
    usage: ServerUsage(process: server.processIdentifier))
let report: ConsultationReport
do {
    report = try await bench.run()
} catch {
    server.terminate()
    throw error
}
print(report.text)
server.terminate()
server.waitUntilExit()
exit(report.isMet ? 0 : 1)
