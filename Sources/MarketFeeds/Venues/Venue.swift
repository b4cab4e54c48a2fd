/// A venue whose messages can be read. Each is declared in its own folder: `Venue.kraken`.
public struct Venue: Sendable, Hashable, RawRepresentable, CaseIterable, CustomStringConvertible {
    /// As the command line names it.
    public let rawValue: String

    /// The name of a venue that is declared in its folder.
    init(_ name: String) { rawValue = name }

    /// - Returns: `nil` for a name that no venue has.
    public init?(rawValue: String) {
        guard let venue = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = venue
    }

    public static let allCases: [Venue] = VenueCatalogue.declarations.map(\.venue)
    public var description: String { rawValue }

    /// All names, for error messages.
    public static var allowedNames: String {
        let shared = FeedCatalogue.adapters.map(\.name).filter { Venue(rawValue: $0) == nil }
        return (allCases.map(\.rawValue) + shared).joined(separator: ", ")
    }

    /// The venue of this name, or the one whose messages a feed of this name has: Binance.US has Binance's messages.
    /// - Throws: `FeedError` that names what is allowed.
    public init(named name: String) throws(FeedError) {
        guard let venue = Venue(rawValue: name) ?? FeedCatalogue.adapter(named: name)?.venue else {
            throw FeedError(.usage, "Unknown venue \"\(name)\"; allowed are \(Self.allowedNames).")
        }
        self = venue
    }

    /// Recognises a venue by one of its messages.
    /// - Returns: `nil` where no venue, or more than one, has messages of this shape.
    public static func recognise(_ bytes: UnsafeRawBufferPointer) -> Venue? {
        guard let shape = MessageShape(bytes) else { return nil }
        let candidates = VenueCatalogue.declarations.filter { $0.isEvidence(shape) }
        return candidates.count == 1 ? candidates[0].venue : nil
    }

    /// What the numbers of a market's trades mean.
    enum Numbering: Sendable {
        /// They count up by one: repeated and missing trades are seen.
        case consecutive
        /// Each trade has its own, and nothing else is known: repeated ones are seen.
        case unique
        /// There are none: every trade is a new one.
        case none
        /// The venue's reader sees repeated and missing trades by other numbers, and passes on only the new ones.
        case readElsewhere
    }

    /// Venues are made by their declarations only.
    var declaration: VenueDeclaration {
        _read { yield VenueCatalogue.declarations[Self.allCases.firstIndex(of: self)!] }
    }
}
