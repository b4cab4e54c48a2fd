import NIOCore

extension TimeAmount {
    /// A delay computed from clocks and input: NaN and negative ones are none, and none is longer than an hour, after
    /// which whoever waits looks again.
    static func clamped(seconds: Double) -> TimeAmount {
        seconds > 0 ? .nanoseconds(Int64(min(seconds, 3600) * 1e9)) : .nanoseconds(0)
    }
}
