import HistoryStore

/// Which store of a data directory has a symbol: that of the simulated exchange and of imports, that of real markets, or
/// that of the last replay.
enum StoreChoice {
    /// - Returns: the first that has candles of the symbol; where none has, the first that is there.
    /// - Throws: `StoreError` where there is none, or the directory's own cannot be read. The others are looked at only where
    ///   that one lacks the symbol, and one that cannot be read has nothing.
    static func open(_ directory: String, having symbol: String) async throws -> CandleStore {
        let own = try existing(directory)
        if let own, try await !own.timeframes(of: symbol).isEmpty { return own }
        let others = [DataDirectory.live(directory), directory + "/replay"]
        for place in others {
            guard let store = await readable(place, having: symbol) else { continue }
            try await own?.close()
            return store
        }
        if let own { return own }
        for place in others {
            if let store = try? CandleStore(directory: place, mustExist: true) { return store }
        }
        return try CandleStore(directory: directory, mustExist: true)
    }

    private static func readable(_ directory: String, having symbol: String) async -> CandleStore? {
        guard let store = try? CandleStore(directory: directory, mustExist: true) else { return nil }
        if let timeframes = try? await store.timeframes(of: symbol), !timeframes.isEmpty { return store }
        try? await store.close()
        return nil
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
