import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The session's seconds: the event loop's, counted from the client's birth, so that they keep their nanoseconds as
/// `Double` and a test's event loop is the clock.
struct SessionClock: Sendable {
    private let start: NIODeadline
    /// Seconds since 1970 UTC at the client's birth.
    private let epoch: Double

    init(start: NIODeadline) {
        self.start = start
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        epoch = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    func seconds(_ time: NIODeadline) -> Double { Double((time - start).nanoseconds) / 1e9 }

    /// The session's seconds as seconds since 1970 UTC.
    func date(_ seconds: Double) -> Double { epoch + seconds }
}
