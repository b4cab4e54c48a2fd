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
    /// Who caused it; `nil`: not known, or nobody in particular.
    public var principal: String?
    /// Under what a reader finds it later. Written beside the entry; entries that are read have none.
    public var index = LedgerIndex()

    public init(
        account: String, sequence: Int, time: Double, kind: String, body: String, principal: String? = nil,
        index: LedgerIndex = LedgerIndex()
    ) {
        self.account = account
        self.sequence = sequence
        self.time = time
        self.kind = kind
        self.body = body
        self.principal = principal
        self.index = index
    }

    /// The kind of an account's last entry. Entries before it may be removed.
    public static let deletion = "account_deleted"

    /// SHA-256 over the previous entry's hash and all fields.
    /// - Parameter previous: ``LedgerHash/first`` of an account's first entry.
    func hash(after previous: LedgerHash) -> LedgerHash {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128 + body.utf8.count)
        func number(_ value: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        // Each with its length in front: the fields cannot run into each other.
        func text(_ value: String) {
            number(UInt64(value.utf8.count))
            bytes += value.utf8
        }
        bytes += previous.bytes
        text(account)
        number(UInt64(bitPattern: Int64(sequence)))
        number(time.bitPattern)
        text(kind)
        text(body)
        bytes.append(principal == nil ? 0 : 1)
        if let principal { text(principal) }
        return LedgerHash(bytes: SHA256.hash(bytes))
    }

    /// What versions before 0.2 wrote in place of the hash: finds a bit that changed on the disk, not one that was changed on
    /// purpose.
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

/// The SHA-256 of an entry and all before it.
public struct LedgerHash: Sendable, Hashable, CustomStringConvertible {
    let bytes: [UInt8]

    /// Before an account's first entry.
    static let first = LedgerHash(bytes: Array(repeating: 0, count: 32))

    init(bytes: [UInt8]) { self.bytes = bytes }

    public var description: String { bytes.hexadecimal }
}

extension Sequence<UInt8> {
    /// Two lower-case digits each.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// Where an account's ledger ends.
public struct LedgerPosition: Sendable, Hashable {
    public var sequence: Int
    public var hash: LedgerHash
}

/// Under what an entry is found again: the order that came to its end with it, and the fill that it is.
public struct LedgerIndex: Sendable, Equatable {
    public struct Order: Sendable, Equatable {
        public var number: Int
        public var symbol: String
        public var status: String

        public init(number: Int, symbol: String, status: String) {
            (self.number, self.symbol, self.status) = (number, symbol, status)
        }
    }

    public struct Fill: Sendable, Equatable {
        public var number: Int
        public var symbol: String
        public var order: Int

        public init(number: Int, symbol: String, order: Int) {
            (self.number, self.symbol, self.order) = (number, symbol, order)
        }
    }

    public var order: Order?
    public var fill: Fill?

    public init(order: Order? = nil, fill: Fill? = nil) { (self.order, self.fill) = (order, fill) }
}

/// An account's state at an entry, so that a start need not read what was before.
public struct LedgerSnapshot: Sendable, Equatable {
    public var account: String
    /// The last entry in it.
    public var sequence: Int
    /// When the account was opened, seconds since 1970 UTC.
    public var openedAt: Double
    /// Mean something only to those who write and read them.
    public var state: [UInt8]
    public var events: [UInt8]

    public init(account: String, sequence: Int, openedAt: Double, state: [UInt8], events: [UInt8]) {
        self.account = account
        self.sequence = sequence
        self.openedAt = openedAt
        self.state = state
        self.events = events
    }
}

/// An order that was refused and is in no ledger: the newest of an account are kept.
public struct RefusedRecord: Sendable, Equatable {
    public var account: String
    public var number: Int
    /// The order as JSON.
    public var body: String
    /// Those with smaller numbers are forgotten.
    public var oldestKept: Int

    public init(account: String, number: Int, body: String, oldestKept: Int) {
        self.account = account
        self.number = number
        self.body = body
        self.oldestKept = oldestKept
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
