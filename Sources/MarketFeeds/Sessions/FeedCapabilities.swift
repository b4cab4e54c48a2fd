/// What a feed can do, for `candlewire feeds` and for people who choose one.
public struct FeedCapabilities: Sendable, Equatable {
    /// How missing trades are noticed.
    public enum Gaps: String, Sendable {
        /// Trades are numbered without holes.
        case numbers = "by number"
        /// Only by the time without a connection.
        case outages = "by outage"
    }

    public var gaps: Gaps
    /// Repeated trades are recognised.
    public var seesDuplicates: Bool
    /// Subscriptions are acknowledged.
    public var acknowledges: Bool
    /// Trades carry the side of the one who came second.
    public var tellsSides: Bool
    public var needsKey: Bool
    /// Nothing answers a request, and a symbol may be quiet for hours: what was asked for counts as granted.
    public var assumesGranted: Bool
    /// What is not known for sure about it, in a sentence; `nil`: nothing.
    public var caveat: String?

    public init(
        gaps: Gaps, seesDuplicates: Bool = true, acknowledges: Bool = true, tellsSides: Bool = true,
        needsKey: Bool = false, assumesGranted: Bool = false, caveat: String? = nil
    ) {
        self.gaps = gaps
        self.seesDuplicates = seesDuplicates
        self.acknowledges = acknowledges
        self.tellsSides = tellsSides
        self.needsKey = needsKey
        self.assumesGranted = assumesGranted
        self.caveat = caveat
    }
}
