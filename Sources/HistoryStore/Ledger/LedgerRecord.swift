import MarketModel

/// One entry of an account's ledger, as it is on disk. Its body means something only to those who write and read it.
public struct LedgerRecord: Sendable, Equatable {
    /// Whose ledger it is.
    public var account: String
    /// 1, 2, 3… within the account, without a hole.
    public var sequence: Int
    /// When it happened, seconds since 1970 UTC. Finite.
    public var time: Double
    /// The kind of event, so that people find their way in the file.
    public var kind: String
    /// The event as JSON.
    public var body: String

    public init(account: String, sequence: Int, time: Double, kind: String, body: String) {
        self.account = account
        self.sequence = sequence
        self.time = time
        self.kind = kind
        self.body = body
    }

    /// A hash of all fields: finds a bit that changed on the disk, not one that was changed on purpose.
    var checksum: Int64 {
        var hash = FNV1a()
        func mixText(_ text: String) {
            for byte in text.utf8 { hash.mix(byte) }
            // No byte of UTF-8: the fields cannot run into each other.
            hash.mix(0xFF)
        }
        func mixNumber(_ number: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) { hash.mix(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        mixText(account)
        mixNumber(UInt64(bitPattern: Int64(sequence)))
        mixNumber(time.bitPattern)
        mixText(kind)
        mixText(body)
        return Int64(bitPattern: hash.value)
    }
}

/// What an account was worth at a moment.
public struct EquityPoint: Sendable, Equatable {
    public var account: String
    public var currency: String
    /// Seconds since 1970 UTC.
    public var timestamp: Double
    /// A decimal as text: exact.
    public var equity: String

    public init(account: String, currency: String, timestamp: Double, equity: String) {
        self.account = account
        self.currency = currency
        self.timestamp = timestamp
        self.equity = equity
    }
}
