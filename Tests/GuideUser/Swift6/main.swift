// The code of Docs/from-the-guide.md, run against a server:
//
//   guide-user 127.0.0.1:8080            each block once, a line for each
//   guide-user 127.0.0.1:8080 outage     a chart while the server is killed and started again

import Foundation

func printLine(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("guide-user: \(sentence)\n".utf8))
    exit(1)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard let host = arguments.first, arguments.count == 1 || arguments.dropFirst() == ["outage"] else {
    fail("usage: guide-user HOST:PORT [outage]")
}
let blocks = Blocks(host: host)
if arguments.count > 1 {
    do { try await watchOutage(blocks) } catch { fail("outage: \(error.localizedDescription)") }
} else {
    for block in blocks.all {
        do {
            printLine("\(block.name): \(try await block.run())")
        } catch {
            fail("\(block.name): \(error.localizedDescription)")
        }
    }
}
