import StreamCore

/// A subscription on its way to the market loop and back.
struct StreamRequest: Sendable {
    var message: SubscribeRequest
    /// Counts a connection's requests: an answer to an older one than the last is out of date.
    var number: Int
}
