import MarketModel

/// Where the past of markets is kept when it leaves the memory.
protocol MarketPast: Sendable {
    /// Whether everything that was handed over is kept: rows that found no room are in memory only.
    var isComplete: Bool { get }
    /// Writes what waits to be written.
    func flush() async throws
    /// Puts a market's newest candles into memory, those excepted that were built meanwhile.
    /// - Returns: the start of the newest one of each timeframe, of those that were not built meanwhile.
    /// - Throws: before anything is placed.
    func load(_ market: Int) async throws -> [Timeframe: Double]
}
