import Foundation
import GRDBSQLite
import MarketModel
import Synchronization

// Macros with arithmetic are not imported.
private let readError = SQLITE_IOERR | 1 << 8
private let writeError = SQLITE_IOERR | 3 << 8
private let syncError = SQLITE_IOERR | 4 << 8
private let truncateError = SQLITE_IOERR | 6 << 8
private let deleteError = SQLITE_IOERR | 10 << 8

/// A disk on which SQLite's files of one folder lie, with the faults of disks.
///
/// It is a VFS around the system's own, the default one of the process; files outside of the folder go past it. Locks and the
/// shared memory of the write-ahead log are the system's. What is written goes to the file at once, as to the page cache of a
/// kernel, and what the disk has under it is kept until a sync. A power cut brings some of that back, whole blocks or parts
/// of them. A sync of the ledger that fails loses what it should have written, unless that is written again, as Linux does.
/// One of the candle store loses nothing: its log is not synced at each commit, and SQLite does not survive a loss inside
/// of it.
///
/// That a file was created, cut off or deleted is on the disk at once: a file system does each of these whole or not at all.
final class FaultyDisk: @unchecked Sendable {
    struct Counts {
        var writes = 0, syncs = 0, failedSyncs = 0, full = 0
        var powerCuts = 0, midWriteCuts = 0, lostBlocks = 0, tornBlocks = 0
    }

    /// The part of a file that the kernel writes at once, and the part that a disk writes whole.
    fileprivate static let block = 4096
    fileprivate static let sector = 512

    /// What the disk has under what was written since the last sync.
    fileprivate struct File {
        var durable: [Int: [UInt8]] = [:]
        /// The blocks in the order of their first writes.
        var order: [Int] = []
        /// Those that a failed sync gave up.
        var givenUp: Set<Int> = []
        var syncs = 0
    }

    fileprivate struct State {
        var files: [String: File] = [:]
        var random: SeededGenerator
        var counts = Counts()
        var isDead = false
        var isFull = false
        var failingSyncs = 0
        var hidesFailedSyncs = false
        var writesUntilCut: Int?
    }

    let folder: String
    private let state: Mutex<State>

    init(folder: String, seed: UInt64) {
        self.folder = folder
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        _ = Self.isRegistered
        Self.disks.withLock { $0[folder] = self }
    }

    func remove() { _ = Self.disks.withLock { $0.removeValue(forKey: folder) } }

    // MARK: Faults

    var counts: Counts { state.withLock { $0.counts } }
    /// Whether the power is off: nothing can be read or written.
    var isDead: Bool { state.withLock { $0.isDead } }

    /// How often a file was synced since the last power cut.
    func syncs(of name: String) -> Int { state.withLock { $0.files["\(folder)/\(name)"]?.syncs ?? 0 } }

    /// Files cannot grow.
    func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }
    func failSyncs(_ count: Int) { state.withLock { $0.failingSyncs = count } }
    /// As if nobody looked at what a sync answers.
    func hideFailedSyncs() { state.withLock { $0.hidesFailedSyncs = true } }
    /// The power goes in the middle of a write to come.
    func cutPower(afterWrites count: Int) { state.withLock { $0.writesUntilCut = count } }

    /// The process is killed: nothing more comes from it, and the kernel keeps what it wrote.
    func kill() { state.withLock { $0.isDead = true } }

    func cutPower() {
        state.withLock { state in
            if !state.isDead { state.counts.powerCuts += 1 }
            state.isDead = true
        }
    }

    /// The machine starts again, when all files are closed.
    /// - Parameter losesUnsynced: the power was off.
    func restart(losesUnsynced: Bool) {
        state.withLock { state in
            if losesUnsynced {
                for path in state.files.keys.sorted() { state.lose(path) }
                state.files = [:]
            }
            (state.isDead, state.isFull, state.failingSyncs, state.writesUntilCut) = (false, false, 0, nil)
        }
    }

    // MARK: The VFS

    private static let disks = Mutex<[String: FaultyDisk]>([:])
    nonisolated(unsafe) private static let original: UnsafeMutablePointer<sqlite3_vfs> = sqlite3_vfs_find(nil)
    nonisolated(unsafe) private static let shim = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)

    private static func disk(of path: String) -> FaultyDisk? {
        disks.withLock { $0[(path as NSString).deletingLastPathComponent] }
    }

    /// What is kept of an open file, behind the system's part of it.
    private final class OpenFile {
        let disk: FaultyDisk
        let path: String
        let system: UnsafePointer<sqlite3_io_methods>
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)

        init(_ disk: FaultyDisk, _ path: String, _ system: UnsafePointer<sqlite3_io_methods>) {
            (self.disk, self.path, self.system) = (disk, path, system)
            methods.initialize(to: system.pointee)
            FaultyDisk.replace(&methods.pointee)
        }

        deinit { methods.deallocate() }
    }

    private typealias FilePointer = UnsafeMutablePointer<sqlite3_file>
    private static let systemBytes = (Int(original.pointee.szOsFile) + 15) / 16 * 16

    private static func place(_ file: FilePointer) -> UnsafeMutablePointer<Unmanaged<OpenFile>> {
        (UnsafeMutableRawPointer(file) + systemBytes).assumingMemoryBound(to: Unmanaged<OpenFile>.self)
    }

    private static func openFile(_ file: FilePointer) -> OpenFile { place(file).pointee.takeUnretainedValue() }

    private static let isRegistered: Bool = {
        shim.initialize(to: original.pointee)
        shim.pointee.zName = UnsafePointer(strdup("candlewire-faulty"))
        shim.pointee.szOsFile = Int32(systemBytes + MemoryLayout<Unmanaged<OpenFile>>.size)
        shim.pointee.xOpen = { _, name, file, flags, outFlags in
            guard let name, let file, let disk = FaultyDisk.disk(of: String(cString: name)) else {
                return original.pointee.xOpen(original, name, file, flags, outFlags)
            }
            file.pointee.pMethods = nil
            guard !disk.isDead else { return SQLITE_CANTOPEN }
            let code = original.pointee.xOpen(original, name, file, flags, outFlags)
            guard code == SQLITE_OK else { return code }
            let made = OpenFile(disk, String(cString: name), file.pointee.pMethods)
            FaultyDisk.place(file).initialize(to: .passRetained(made))
            file.pointee.pMethods = UnsafePointer(made.methods)
            return SQLITE_OK
        }
        shim.pointee.xDelete = { _, name, sync in
            if let name, let disk = FaultyDisk.disk(of: String(cString: name)) {
                let isDead = disk.state.withLock { state in
                    if !state.isDead { state.files[String(cString: name)] = nil }
                    return state.isDead
                }
                if isDead { return deleteError }
            }
            return original.pointee.xDelete(original, name, sync)
        }
        return sqlite3_vfs_register(shim, 1) == SQLITE_OK
    }()

    private static func replace(_ methods: inout sqlite3_io_methods) {
        // Without memory mapping, which would go past the faults.
        methods.iVersion = min(methods.iVersion, 2)
        methods.xClose = { file in
            let open = FaultyDisk.place(file!).pointee.takeRetainedValue()
            return open.system.pointee.xClose(file)
        }
        methods.xRead = { file, buffer, count, offset in
            let open = FaultyDisk.openFile(file!)
            return open.disk.isDead ? readError : open.system.pointee.xRead(file, buffer, count, offset)
        }
        methods.xWrite = { file, bytes, count, offset in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            return FaultyDisk.openFile(file!).disk.write(file!, bytes, Int(offset))
        }
        methods.xTruncate = { file, size in FaultyDisk.openFile(file!).disk.truncate(file!, Int(size)) }
        methods.xSync = { file, _ in FaultyDisk.openFile(file!).disk.sync(FaultyDisk.openFile(file!).path) }
    }

    // MARK: Writing

    private static func size(_ file: FilePointer) -> Int {
        var size: sqlite3_int64 = 0
        _ = openFile(file).system.pointee.xFileSize(file, &size)
        return Int(size)
    }

    /// Keeps what the disk has of these blocks, before they change.
    private static func keep(_ blocks: ClosedRange<Int>, of file: FilePointer, _ size: Int, in kept: inout File) {
        for number in blocks {
            // Written again, it will be synced again.
            kept.givenUp.remove(number)
            guard kept.durable[number] == nil else { continue }
            let start = number * block
            let count = max(0, min(block, size - start))
            var bytes = [UInt8](repeating: 0, count: count)
            if count > 0 {
                _ = openFile(file).system.pointee.xRead(file, &bytes, Int32(count), sqlite3_int64(start))
            }
            kept.durable[number] = bytes
            kept.order.append(number)
        }
    }

    private func write(_ file: FilePointer, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int32 {
        let open = Self.openFile(file)
        return state.withLock { state in
            guard !state.isDead else { return writeError }
            state.counts.writes += 1
            let size = Self.size(file)
            if state.isFull, offset + bytes.count > size {
                state.counts.full += 1
                return SQLITE_FULL
            }
            let blocks = offset / Self.block...(offset + bytes.count - 1) / Self.block
            Self.keep(blocks, of: file, size, in: &state.files[open.path, default: File()])
            var count = bytes.count
            if let left = state.writesUntilCut {
                state.writesUntilCut = left - 1
                if left <= 0 {
                    count = Int(state.random.next() % UInt64(bytes.count + 1)) / Self.sector * Self.sector
                    state.isDead = true
                    state.counts.powerCuts += 1
                    state.counts.midWriteCuts += 1
                }
            }
            let code =
                count == 0
                ? SQLITE_OK
                : open.system.pointee.xWrite(file, bytes.baseAddress, Int32(count), sqlite3_int64(offset))
            return state.isDead ? writeError : code
        }
    }

    private func truncate(_ file: FilePointer, _ newSize: Int) -> Int32 {
        let open = Self.openFile(file)
        return state.withLock { state in
            guard !state.isDead else { return truncateError }
            var kept = state.files[open.path] ?? File()
            let (end, rest) = (newSize / Self.block, newSize % Self.block)
            kept.order.removeAll { $0 > end || $0 == end && rest == 0 }
            kept.durable = kept.durable.filter { $0.key < end || $0.key == end && rest > 0 }
            if let last = kept.durable[end] { kept.durable[end] = Array(last.prefix(rest)) }
            kept.givenUp.formIntersection(kept.durable.keys)
            state.files[open.path] = kept
            return open.system.pointee.xTruncate(file, sqlite3_int64(newSize))
        }
    }

    private func sync(_ path: String) -> Int32 {
        state.withLock { state in
            guard !state.isDead else { return syncError }
            guard state.failingSyncs == 0 else {
                state.failingSyncs -= 1
                state.counts.failedSyncs += 1
                if path.contains("ledger"), let file = state.files[path] {
                    state.files[path]?.givenUp.formUnion(file.durable.keys)
                }
                return state.hidesFailedSyncs ? SQLITE_OK : syncError
            }
            state.counts.syncs += 1
            state.files[path, default: File()].syncs += 1
            if let file = state.files[path] {
                state.files[path]?.durable = file.durable.filter { file.givenUp.contains($0.key) }
                state.files[path]?.order.removeAll { !file.givenUp.contains($0) }
            }
            return SQLITE_OK
        }
    }
}

extension FaultyDisk.State {
    /// Brings back what the disk has, of all that was not synced or of a part of it.
    fileprivate mutating func lose(_ path: String) {
        guard let file = files[path], !file.order.isEmpty, let handle = FileHandle(forUpdatingAtPath: path) else {
            return
        }
        defer { try? handle.close() }
        let size = Int((try? handle.seekToEnd()) ?? 0)
        let pattern = random.next() % 4
        let survivors = Int(random.next() % UInt64(file.order.count + 1))
        // Where the last block that was not written since a sync ends.
        var clean = (size - 1) / FaultyDisk.block
        while clean >= 0, file.durable[clean] != nil { clean -= 1 }
        var end = size > 0 ? min(size, (clean + 1) * FaultyDisk.block) : 0
        for (index, number) in file.order.enumerated() {
            // All is lost, nothing is, the first writes survive, or any of them.
            var kept =
                switch pattern {
                case 0: 0
                case 1: FaultyDisk.block
                case 2: index < survivors ? FaultyDisk.block : index > survivors ? 0 : 1
                default: [0, FaultyDisk.block, 1][Int(random.next() % 3)]
                }
            if kept == 1 { kept = Int(random.next() % 8) * FaultyDisk.sector }
            if file.givenUp.contains(number) { kept = 0 }
            let start = number * FaultyDisk.block
            let durable = file.durable[number] ?? []
            let written = max(0, min(FaultyDisk.block, size - start))
            if kept < written || kept < durable.count {
                if kept == 0 { counts.lostBlocks += 1 } else if kept < written { counts.tornBlocks += 1 }
                var old = Array(durable.dropFirst(kept))
                let newEnd = max(min(kept, written), durable.count)
                // Zeros where the disk had nothing yet.
                if old.count < written - kept { old += [UInt8](repeating: 0, count: written - kept - old.count) }
                try? handle.seek(toOffset: UInt64(start + kept))
                try? handle.write(contentsOf: old)
                end = max(end, newEnd == 0 ? 0 : start + newEnd)
            } else if written > 0 {
                end = max(end, start + written)
            }
        }
        try? handle.truncate(atOffset: UInt64(end))
    }
}
