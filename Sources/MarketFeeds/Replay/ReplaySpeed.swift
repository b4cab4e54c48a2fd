/// How fast a recording is played.
public enum ReplaySpeed: Sendable, Equatable {
    /// So many times as fast as it was recorded.
    case times(Double)
    /// As fast as the machine can.
    case max

    /// Reads `max` or a number above 0.
    public init(_ text: String) throws(FeedError) {
        if text == "max" {
            self = .max
        } else if let factor = Double(text), factor > 0, factor.isFinite {
            self = .times(factor)
        } else {
            throw FeedError(.usage, "The speed \"\(text)\" must be a number above 0, or max.")
        }
    }
}
