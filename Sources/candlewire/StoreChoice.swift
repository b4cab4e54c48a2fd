import HistoryStore

/// Which store of a data directory has a symbol: that of the simulated exchange and of imports, that of real markets, or
/// that of the last replay.
enum StoreChoice {
    /// - Returns: the first that has candles of the symbol; where none has, the first that is there.
    /// - Throws: `StoreError` where there is none, or one cannot be read.
    static func open(_ directory: String, having symbol: String) async throws -> CandleStore {
        let places = [directory, DataDirectory.live(directory), directory + "/replay"]
        let stores = try places.compactMap(existing)
        var chosen = stores.first
        for store in stores {
            let timeframes = try await store.timeframes(of: symbol)
            guard !timeframes.isEmpty else { continue }
            chosen = store
            break
        }
        for store in stores where store !== chosen { try await store.close() }
        return try chosen ?? CandleStore(directory: directory, mustExist: true)
    }

    /// `nil` where there is none.
    private static func existing(_ directory: String) throws(StoreError) -> CandleStore? {
        do {
            return try CandleStore(directory: directory, mustExist: true)
        } catch {
            guard error.code == .missing else { throw error }
            return nil
        }
    }
}
