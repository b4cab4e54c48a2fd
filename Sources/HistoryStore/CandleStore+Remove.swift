import Foundation

extension CandleStore {
    /// Deletes the store in `directory`, if there is one. It must not be open.
    public static func remove(directory: String) throws(StoreError) {
        try remove(fileName, from: directory, called: "candle store")
    }

    /// Deletes an SQLite file and what SQLite keeps beside it.
    static func remove(_ file: String, from directory: String, called name: String) throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] {
            let path = "\(directory)/\(file)\(suffix)"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw StoreError(
                    .unwritable, "The \(name) \(path) cannot be removed; check the permissions of its folder.")
            }
        }
    }
}
