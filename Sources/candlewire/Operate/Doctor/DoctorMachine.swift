import Foundation
import HistoryStore

/// What `doctor` says of the machine: versions, clock, limits.
enum DoctorMachine {
    static func versions() -> [DoctorFinding] {
        var name = utsname()
        uname(&name)
        let system =
            withUnsafeBytes(of: name.sysname, text) + " " + withUnsafeBytes(of: name.release, text)
            + " " + withUnsafeBytes(of: name.machine, text)
        let toolchain = output(of: ["swift", "--version"], seconds: 5)
        return [
            DoctorFinding("version", .ok, "candlewire \(CandlewireRelease.version) on \(system)"),
            DoctorFinding(
                "toolchain", .ok,
                toolchain.map { String($0.prefix { $0 != "\n" }) } ?? "no Swift toolchain here; only a build needs one"),
        ]
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// What a program of the search path prints; `nil`: it is not there, or needs too long.
    private static func output(of words: [String], seconds: Double) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let number = process.processIdentifier
        let limit = Task.detached {
            try await Task.sleep(for: .seconds(seconds))
            kill(number, SIGTERM)
        }
        let data = try? pipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        limit.cancel()
        return process.terminationStatus == 0 ? data.map { String(decoding: $0, as: UTF8.self) } : nil
    }

    // MARK: Clock

    /// Seconds between two clocks that are worth a word.
    static let tolerance = 2.0

    static func clock(directory: String) -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        if let hardware = try? String(contentsOfFile: "/sys/class/rtc/rtc0/since_epoch", encoding: .utf8),
            let seconds = Double(hardware.trimmingCharacters(in: .whitespacesAndNewlines))
        {
            findings.append(difference("the hardware clock", seconds, tolerance: 1 + tolerance))
        }
        if let time = fileTime(in: directory) {
            findings.append(difference("the file system", time, tolerance: tolerance))
        }
        let synchronised: DoctorFinding =
            switch synchronisation() {
            case true?: DoctorFinding("clock", .ok, "the system synchronises its clock (NTP)")
            case false?:
                DoctorFinding(
                    "clock", .warning, "the system does not synchronise its clock",
                    "start chrony or systemd-timesyncd: candles and orders are dated by this clock")
            case nil: DoctorFinding("clock", .ok, "whether the clock is synchronised cannot be read here")
            }
        findings.append(synchronised)
        return findings
    }

    static func difference(_ other: String, _ time: Double, tolerance: Double) -> DoctorFinding {
        let offset = Date().timeIntervalSince1970 - time
        guard abs(offset) > tolerance else { return DoctorFinding("clock", .ok, "agrees with \(other)") }
        let text = String(format: "%.0f", abs(offset))
        return DoctorFinding(
            "clock", .warning, "is \(text) s \(offset > 0 ? "ahead of" : "behind") \(other)",
            "set the clock before the server starts: it dates candles and orders, and does not follow large jumps")
    }

    /// When the folder's file system says that a file was made just now.
    private static func fileTime(in directory: String) -> Double? {
        let path = "\(directory)/.doctor-time-\(getpid())"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        defer {
            close(descriptor)
            unlink(path)
        }
        let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return date?.timeIntervalSince1970
    }

    /// Whether the kernel's clock is synchronised; `nil`: it does not say.
    private static func synchronisation() -> Bool? {
        #if canImport(Glibc)
            // Swift's module of glibc does not have it. Its structure is smaller; zeros only read.
            typealias Read = @convention(c) (UnsafeMutableRawPointer) -> CInt
            guard let symbol = dlsym(nil, "adjtimex") else { return nil }
            var structure = [UInt64](repeating: 0, count: 64)
            let state = structure.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { unsafeBitCast(symbol, to: Read.self)($0) } ?? -1
            }
            // TIME_ERROR is 5: not synchronised.
            return state < 0 ? nil : state != 5
        #else
            return nil
        #endif
    }

    // MARK: Limits

    static func limits(connections: Int) -> [DoctorFinding] {
        let files = sysconf(Int32(_SC_OPEN_MAX))
        guard files > 0 else { return [] }
        // Databases, the page's files, feeds.
        let needed = connections + 200
        guard files < needed else { return [DoctorFinding("limits", .ok, "\(files) open files are allowed")] }
        return [
            DoctorFinding(
                "limits", .warning,
                "\(files) open files are allowed: about \(max(0, files - 200)) connections, of \(connections) that the options allow",
                "raise it (ulimit -n \(needed), or LimitNOFILE=\(needed) in the unit), or lower --max-connections and --max-http-connections"
            )
        ]
    }
}
