import Foundation

/// Descriptors that are kept to be given up when the process has no other left.
struct DescriptorReserve: ~Copyable {
    private let size: Int
    private var descriptors: [Int32] = []

    init(_ size: Int) {
        self.size = size
        _ = refill()
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    mutating func release() {
        for descriptor in descriptors { close(descriptor) }
        descriptors.removeAll(keepingCapacity: true)
    }

    /// - Returns: whether all could be had.
    mutating func refill() -> Bool {
        while descriptors.count < size {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            descriptors.append(descriptor)
        }
        return true
    }
}

enum FileDescriptors {
    /// Raises the number of descriptors that the process may have to what the system allows it: the usual limit of 1024 is for
    /// programs that use `select`.
    static func raiseLimit() {
        var limit = rlimit()
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        // More than any number of connections needs; macOS refuses "unlimited".
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        _ = setrlimit(resource, &limit)
    }
}
