import MarketFeeds
import MarketModel
import NIOCore
import StreamCore

/// What a feed is, for people who look after it.
struct FeedDetails: Sendable {
    enum Kind: String, Sendable {
        /// Prices of this process' own making.
        case simulated
        /// A file that is played.
        case recording
        /// A venue or a provider, over the network.
        case live
    }

    /// A connection to a venue.
    struct Connection: Sendable {
        var state: String
        var symbols: Int
    }

    var status: FeedStatus
    /// As people call it.
    var title: String
    var kind: Kind
    /// Where the prices come from, without anything secret; `nil`: from this process.
    var address: String?
    var isOn = true
    var canSwitch = false
    /// How many markets may be added; `nil`: they are chosen when the server starts.
    var room: Int?
    var limits: FeedLimits?
    /// When the last message came, seconds since 1970 UTC.
    var lastMessageAt: Double?
    var connections: [Connection] = []
}

extension FeedDetails: JSONObjectDocument {
    func writeMembers(into sink: inout [UInt8]) {
        status.writeMembers(into: &sink)
        sink.fields("title", title, "kind", kind.rawValue, "address", address, "on", isOn)
        sink.fields("can_switch", canSwitch, "room", room, "last_message_at", lastMessageAt)
        if let limits {
            sink.object("limits") { sink in
                sink.fields(
                    "symbols_per_connection", limits.symbolsPerConnection, "symbols_per_request",
                    limits.symbolsPerRequest, "requests_per_second", limits.messagesPerSecond)
            }
        }
        sink.list("sockets", connections) { connection, sink in
            sink.object { $0.fields("state", connection.state, "symbols", connection.symbols) }
        }
    }
}

/// A feed that can be switched off while the server runs, and on again.
protocol SwitchableFeed: Feed {
    /// On the market loop.
    /// - Returns: whether that changed anything.
    func setOn(_ isOn: Bool, _ core: MarketCore) -> Bool
}

extension Feed {
    func details(_ core: MarketCore) async throws -> FeedDetails {
        FeedDetails(
            status: try await status(core), title: summary, kind: clockStart == nil ? .simulated : .recording)
    }
}

extension LiveFeed: SwitchableFeed {
    func setOn(_ isOn: Bool, _ core: MarketCore) -> Bool {
        guard let runner = runner.value, runner.isOn != isOn else { return false }
        runner.setOn(isOn)
        return true
    }

    func details(_ core: MarketCore) async throws -> FeedDetails {
        let free = core.registry.markets
        let status = try await status(core)
        return try await core.loop.submit { [self] in
            let (live, numbers) = (runner.value, runner.value?.numbers ?? 0..<0)
            return FeedDetails(
                status: status, title: adapter.title, kind: .live, address: address, isOn: live?.isOn ?? false,
                canSwitch: true, room: numbers.count { free[$0].symbol.isEmpty }, limits: adapter.limits,
                lastMessageAt: live?.lastMessageAt,
                connections: (live?.connections ?? []).map { link in
                    let session = link.connection.session
                    return .init(
                        state: session.state.word,
                        symbols: (0..<session.symbolCount).count { session.isWanted($0) })
                })
        }.get()
    }
}

extension SimulatedFeed: SwitchableFeed {
    func details(_ core: MarketCore) async throws -> FeedDetails {
        let (status, isOn) = (try await status(core), try await core.loop.submit { [self] in self.isOn }.get())
        return FeedDetails(status: status, title: summary, kind: .simulated, isOn: isOn, canSwitch: true)
    }
}

extension SessionState {
    /// In a word, for people.
    fileprivate var word: String {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .authenticating: "authenticating"
        case .open: "open"
        case .waiting: "waiting"
        case .failed: "failed"
        case .closed: "closed"
        }
    }
}
