import Foundation

/// What the operating system reports of this process, by the names that Prometheus' own client libraries use.
struct ProcessFigures: Sendable {
    /// Of user and system together, in seconds.
    var processorTime: Double?
    /// In bytes.
    var residentMemory: Int?
    var virtualMemory: Int?
    var openFiles: Int?
    var maxOpenFiles: Int?
    var threads: Int?
    /// Seconds since 1970 UTC.
    var startTime: Double?

    static func read() -> ProcessFigures {
        var figures = ProcessFigures()
        var limit = rlimit()
        #if os(Linux)
            let isLimited = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            figures.readSystem()
        #else
            let isLimited = getrlimit(RLIMIT_NOFILE, &limit) == 0
        #endif
        if isLimited { figures.maxOpenFiles = Int(clamping: limit.rlim_cur) }
        return figures
    }

    #if os(Linux)
        private mutating func readSystem() {
            // proc(5): the name may have spaces and brackets; behind its last one follow the fields from the third on.
            guard let text = Self.text("/proc/self/stat"), let end = text.lastIndex(of: ")") else { return }
            let fields = text[text.index(after: end)...].split(separator: " ")
            func field(_ number: Int) -> Double? {
                fields.indices.contains(number - 3) ? Double(fields[number - 3]) : nil
            }
            let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
            if let user = field(14), let system = field(15) { processorTime = (user + system) / ticks }
            threads = field(20).map { Int($0) }
            virtualMemory = field(23).map { Int($0) }
            residentMemory = field(24).map { Int($0) * sysconf(Int32(_SC_PAGESIZE)) }
            if let started = field(22), let boot = Self.bootTime { startTime = boot + started / ticks }
            openFiles = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }

        private static var bootTime: Double? {
            guard let line = text("/proc/stat")?.split(separator: "\n").first(where: { $0.hasPrefix("btime ") })
            else { return nil }
            return Double(line.dropFirst(6))
        }

        private static func text(_ path: String) -> String? {
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        }
    #endif

    func write(into text: inout PrometheusText) {
        func put(
            _ name: String, _ kind: PrometheusText.Kind, _ help: String, _ value: Double?, _ text: inout PrometheusText
        ) {
            text.metric(name, kind, help) { series in if let value { series.add(value) } }
        }
        put("process_cpu_seconds_total", .counter, "Processor time, user and system.", processorTime, &text)
        put("process_resident_memory_bytes", .gauge, "Memory in use.", residentMemory.map(Double.init), &text)
        put("process_virtual_memory_bytes", .gauge, "Address space in use.", virtualMemory.map(Double.init), &text)
        put("process_open_fds", .gauge, "Open file descriptors.", openFiles.map(Double.init), &text)
        put("process_max_fds", .gauge, "The most file descriptors there may be.", maxOpenFiles.map(Double.init), &text)
        put("process_threads", .gauge, "Threads.", threads.map(Double.init), &text)
        put("process_start_time_seconds", .gauge, "When the process began, seconds since 1970 UTC.", startTime, &text)
    }
}
