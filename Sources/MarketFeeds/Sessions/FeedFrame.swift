/// What is sent to a venue in one message.
public enum FeedFrame: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
}
