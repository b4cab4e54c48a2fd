/// A market's past is not in memory, and the store cannot be read or written for the time being.
struct PastIsAway: Error, CustomStringConvertible {
    var description: String { "its stored candles cannot be read or written" }
}
