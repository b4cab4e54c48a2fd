/// Why history could not be read, fetched or written: one sentence, and the code the program ends with (sysexits.h).
struct HistoryFailure: Error, CustomStringConvertible {
    let description: String
    let code: Int32

    init(_ code: Int32, _ description: String) {
        self.code = code
        self.description = description
    }

    static func usage(_ description: String) -> HistoryFailure { HistoryFailure(64, description) }
}
