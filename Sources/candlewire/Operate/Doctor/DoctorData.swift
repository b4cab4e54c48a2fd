import Foundation
import HistoryStore

/// What `doctor` says of the data folder: disk, rights, databases.
enum DoctorData {
    /// The folder, or the nearest one above it that exists.
    private static func existing(_ directory: String) -> String {
        var url = URL(fileURLWithPath: directory)
        while !FileManager.default.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
        return url.path
    }

    static func disk(_ directory: String) -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        let place = existing(directory)
        if let free = SyncedFile.freeBytes(place) {
            let text = "\(Bytes.text(free)) are free for \(directory)"
            findings.append(
                free < 100_000_000
                    ? DoctorFinding("disk", .problem, text, "make room: what cannot be written is refused or lost")
                    : free < 1_000_000_000
                        ? DoctorFinding(
                            "disk", .warning, text, "make room, or delete old candles with serve --keep-candles")
                        : DoctorFinding("disk", .ok, text))
        }
        do {
            let times = try DataInspection.syncTimes(in: place, count: 20).sorted()
            let (median, worst) = (times[times.count / 2] * 1000, times[times.count - 1] * 1000)
            let text = String(format: "a write is on the disk after %.1f ms, at worst %.1f ms", median, worst)
            findings.append(
                median > 50
                    ? DoctorFinding("disk", .warning, text, "each order waits that long: use another disk for the data")
                    : DoctorFinding("disk", .ok, text))
        } catch {
            findings.append(
                DoctorFinding(
                    "disk", .problem, (error as NSError).localizedDescription,
                    "let this account write the folder, or choose another one with --data-dir"))
        }
        return findings
    }

    /// - Parameter secrets: files of keys and tokens.
    static func permissions(_ directory: String, secrets: [String]) -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        for file in DataInspection.databases(in: directory, checkingUpTo: 0) where file.mode & 0o077 != 0 {
            let mode = String(file.mode, radix: 8)
            findings.append(
                DoctorFinding(
                    "permissions", .problem, "others may read \(directory)/\(file.path) (mode \(mode))",
                    "chmod 600 \(Console.shellWord("\(directory)/\(file.path)"))"))
        }
        let kept = DataFile.folders.flatMap { folder in
            [LedgerStore.keyFileName, DataFile.auditLog(0)].map {
                "\(directory)/\(folder.isEmpty ? "" : "\(folder)/")\($0)"
            }
        }
        for path in secrets + kept {
            var status = stat()
            guard stat(path, &status) == 0, !isPublic(path) else { continue }
            if status.st_mode & 0o077 != 0 {
                let mode = String(Int(status.st_mode & 0o777), radix: 8)
                findings.append(
                    DoctorFinding(
                        "permissions", .problem, "others may read \(path) (mode \(mode)), which has secrets",
                        "chmod 600 \(Console.shellWord(path))"))
            }
        }
        return findings.isEmpty
            ? [DoctorFinding("permissions", .ok, "databases and secrets are their owner's alone")] : findings
    }

    /// A public key, with which tokens are only checked.
    private static func isPublic(_ path: String) -> Bool {
        let head = (try? FileHandle(forReadingAtPath: path)?.read(upToCount: 32)) ?? Data()
        return head.starts(with: Data("-----BEGIN PUBLIC KEY".utf8))
    }

    /// Databases up to this size are read whole.
    static let checkLimit = 500_000_000

    static func databases(_ directory: String) -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        for folder in DataFile.folders {
            let place = folder.isEmpty ? directory : "\(directory)/\(folder)"
            if DataInspection.isInUse(place) == true {
                findings.append(DoctorFinding("data", .ok, "a running server uses \(place)"))
            }
        }
        for file in DataInspection.databases(in: directory, checkingUpTo: checkLimit) {
            let schema = file.schema?.prefix { $0 != " " } ?? "unknown"
            let text = "\(file.path), \(Bytes.text(file.bytes)), schema version \(schema)"
            if let flaw = file.flaw {
                findings.append(
                    DoctorFinding(
                        "data", .problem, "\(text): \(flaw)", "candlewire restore puts a backup in its place"))
            } else if file.isNewer {
                findings.append(
                    DoctorFinding(
                        "data", .problem, "\(text), written by a newer version of candlewire",
                        "update the program, or go back as Docs/operate.md says"))
            } else {
                let isWhole = file.isChecked ? "not damaged" : "not checked: larger than \(Bytes.text(checkLimit))"
                findings.append(DoctorFinding("data", .ok, "\(text), \(isWhole)"))
            }
        }
        return findings.isEmpty ? [DoctorFinding("data", .ok, "there is none yet in \(directory)")] : findings
    }
}
