/// What a line that was typed means.
enum ConsultLine: Equatable {
    case message(String)
    case empty
    case stop, retry, help, quit
    case history(Int)
    case export(format: String, file: String?)
    case decide(approve: Bool, template: String?)
    /// A sentence about what is wrong with it.
    case wrong(String)

    static let commands = """
        /stop             stop the answer (Ctrl-C, too)
        /retry            send what failed again, or ask for another answer
        /history [N]      show the last N messages, 20 without a number
        /export [markdown|json] [FILE]
                          save the whole conversation
        /approve [ID]     place the paper order that was proposed; /decline [ID] does not
        /quit             leave (Ctrl-D, too); the conversation stays
        //text            a message that begins with a slash

        """

    init(_ line: String) {
        guard line.contains(where: { !$0.isWhitespace }) else {
            self = .empty
            return
        }
        guard line.hasPrefix("/") else {
            self = .message(line)
            return
        }
        if line.hasPrefix("//") {
            self = .message(String(line.dropFirst()))
            return
        }
        let words = line.split(separator: " ").map(String.init)
        let rest = Array(words.dropFirst())
        switch (words[0], rest.count) {
        case ("/stop", 0): self = .stop
        case ("/retry", 0): self = .retry
        case ("/help", 0): self = .help
        case ("/quit", 0), ("/exit", 0): self = .quit
        case ("/history", 0): self = .history(20)
        case ("/history", 1):
            guard let count = Int(rest[0]), 1...100 ~= count else {
                self = .wrong("/history needs a number from 1 to 100.")
                return
            }
            self = .history(count)
        case ("/export", 0...2):
            let format = rest.first ?? "markdown"
            guard ["markdown", "json"].contains(format) else {
                self = .wrong("/export needs markdown or json, then a file.")
                return
            }
            self = .export(format: format, file: rest.count == 2 ? rest[1] : nil)
        case ("/approve", 0...1): self = .decide(approve: true, template: rest.first)
        case ("/decline", 0...1): self = .decide(approve: false, template: rest.first)
        default: self = .wrong("There is no \(line); /help lists what there is. //... sends a text with a slash.")
        }
    }
}
