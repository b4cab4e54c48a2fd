import StreamCore

extension VenueSession {
    /// What a configured provider's messages were; `nil` of other venues.
    public var providerCounts: ProviderCounts? { provider?.counts }

    /// The type of the last message, where that is the first of a type that the configuration does not name.
    public var newType: String? { provider?.newType }

    /// Takes what a configured provider sent. Where markets were named beforehand, others are counted and not taken: a
    /// provider decides what it sends, not what is followed.
    mutating func receiveProvider(_ bytes: UnsafeRawBufferPointer) throws(VenueParseError) -> VenueMessageKind {
        try provider?.parse(bytes, into: &batch) ?? .other
    }
}
