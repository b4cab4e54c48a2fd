import Foundation

extension CandleStore {
    /// Deletes the store in `directory`, if there is one. It must not be open.
    public static func remove(directory: String) throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] {
            let path = "\(directory)/\(fileName)\(suffix)"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw StoreError(
                    .unwritable, "The candle store \(path) cannot be removed; check the permissions of its folder.")
            }
        }
    }
}
