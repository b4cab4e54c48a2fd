import HTTPTypes
import Hummingbird
import Synchronization

/// What one client may do: one with a login wherever it is, others by their address.
public struct ClientLimits: Sendable, Equatable {
    public enum Name: String, Sendable, CaseIterable {
        /// A second; large answers count more.
        case requests
        /// Orders placed, changed, closed and reversed, a second.
        case orders
        /// Orders of an account that wait at the same time.
        case openOrders = "open-orders"
        /// WebSockets of a client with a login, at the same time.
        case streams
        /// A minute; large pictures count more.
        case renderings
        /// Messages to the assistant, and consultations that begin without one, a minute.
        case questions

        /// Whether the limit is for a minute, and not for a second.
        var isPerMinute: Bool { self == .renderings || self == .questions }
    }

    /// What others than this machine's own clients may do.
    public static let standard: [Name: Double] = [
        .requests: 100, .orders: 50, .openOrders: 5_000, .streams: 256, .renderings: 240, .questions: 30,
    ]
    /// How many times its rate a client may do at once.
    static let burst = 10.0

    /// Those that were chosen. They are for everyone; the standard ones are not for clients without a login on this machine.
    public var chosen: [Name: Double] = [:]

    public init() {}

    /// What `choose` accepts.
    package static let rule =
        "NAME=COUNT with a count from 0.01 to 1e9 and one of the names "
        + Name.allCases.map(\.rawValue).joined(separator: ", ")

    /// Sets a limit as the command line has it: `requests=100`.
    /// - Returns: false where it is none.
    package mutating func choose(_ text: String) -> Bool {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = Name(rawValue: String(parts[0])), let count = Double(parts[1]),
            (0.01...1e9).contains(count)
        else { return false }
        chosen[name] = count
        return true
    }

    func value(_ name: Name, of client: Client) -> Double? {
        chosen[name] ?? (client.isLocal ? nil : Self.standard[name])
    }

    /// Whom a limit is for.
    struct Client: Sendable, Hashable {
        /// A principal's name; empty: the address counts.
        private let name: String
        private let address: ClientAddress?
        /// A client without a login on this machine: the page, commands, benchmarks.
        let isLocal: Bool

        init(_ principal: Principal, _ address: ClientAddress) {
            self.init(login: principal.isLoggedIn ? principal.name : nil, address)
        }

        /// - Parameter login: the name of a login; `nil`: the address counts.
        init(login: String?, _ address: ClientAddress) {
            name = login ?? ""
            self.address = login == nil ? address : nil
            isLocal = login == nil && address.isLoopback
        }
    }
}

/// Counts what clients do, in tables of bounded size.
final class ClientLimiter: Sendable {
    /// What the headers of an answer say of a limit.
    struct Answer: Sendable, Equatable {
        var limit: Int
        var remaining: Int
        /// Seconds until all of it is there again.
        var reset: Int

        /// As draft-ietf-httpapi-ratelimit-headers-07 and most services have them.
        func write(into response: inout Response) {
            response.headers[HTTPField.Name("RateLimit-Limit")!] = "\(limit)"
            response.headers[HTTPField.Name("RateLimit-Remaining")!] = "\(remaining)"
            response.headers[HTTPField.Name("RateLimit-Reset")!] = "\(reset)"
        }
    }

    let limits: ClientLimits
    private typealias Table = BucketTable<ClientLimits.Client>
    private static let capacity = 8192
    private let tables: Mutex<[ClientLimits.Name: Table]>
    private let streams = Mutex<[ClientLimits.Client: Int]>([:])

    init(_ limits: ClientLimits) {
        self.limits = limits
        let empty = Table(capacity: Self.capacity)
        tables = Mutex([.requests: empty, .orders: empty, .renderings: empty, .questions: empty])
    }

    /// - Returns: what is left; `nil` where the client has no such limit.
    /// - Throws: 429 with the time to wait.
    @discardableResult func spend(
        _ name: ClientLimits.Name, _ cost: Double, of client: ClientLimits.Client
    ) throws(APIError) -> Answer? {
        guard let limit = limits.value(name, of: client) else { return nil }
        // A minute's renderings or questions at once; ten seconds' requests.
        let rate =
            name.isPerMinute
            ? Table.Rate(perSecond: limit / 60, burst: max(1, limit))
            : Table.Rate(perSecond: limit, burst: max(1, limit * ClientLimits.burst))
        let now = WallClock.steady()
        let balance = tables.withLock { $0[name]?.spend(cost, of: client, rate, now: now) }
        guard let balance else { return nil }
        let answer = Answer(
            limit: Int(rate.burst), remaining: Int(balance.remaining), reset: Int(balance.reset.rounded(.up)))
        guard let wait = balance.wait else { return answer }
        var error = APIError(
            .tooManyRequests, "rate_limited",
            "Too many \(name.rawValue); wait \(max(1, Int(min(wait, 3_600).rounded(.up)))) s.", retryAfter: wait)
        error.balance = answer
        throw error
    }

    // MARK: Streams

    /// Counts one more WebSocket.
    /// - Returns: false where the client has as many as it may.
    func opened(_ client: ClientLimits.Client) -> Bool {
        guard let limit = limits.value(.streams, of: client) else { return true }
        return streams.withLock { streams in
            guard Double(streams[client, default: 0]) < limit else { return false }
            streams[client, default: 0] += 1
            return true
        }
    }

    func closed(_ client: ClientLimits.Client) {
        guard limits.value(.streams, of: client) != nil else { return }
        streams.withLock { streams in
            let left = streams[client, default: 1] - 1
            streams[client] = left > 0 ? left : nil
        }
    }
}
