import StreamCore
import TradingCore

extension TradingDesk: ChannelSource {
    /// The most waiting orders in a snapshot; REST has the others.
    static let snapshotOrders = 2_000
    /// Orders at their end, and fills, in a snapshot.
    static let snapshotPast = 100

    func begin(_ id: ConnectionID, _ request: ChannelRequest, on hub: ChannelHub) {
        let key = request.key
        var account: PaperAccount?
        if let text = key.account, !key.hidesAccounts {
            do throws(IdentifierError) {
                let id = try AccountID<Paper>(text)
                account = accounts.first { $0.id == id }
            } catch {
                return hub.refuse(id, request, .unknownAccount, APIError(error, "account"))
            }
            guard account != nil else {
                return hub.refuse(id, request, .unknownAccount, .unknownAccount(text))
            }
        }
        guard ledgerState != .reading else {
            return hub.refuse(id, request, .unavailable, APIError.ledgerUnavailable)
        }
        // An account's snapshot is made now and sent when that is on disk; what changes meanwhile is sent after it. Events
        // enter their log when they are published, so their snapshot is made only then: those on their way to the disk
        // would be neither in it nor after it.
        let sequence = account.map { Int64($0.sequence) }
        let early = key.channel == .events ? nil : snapshot(key, account)
        afterCommit { [self] isWritten in
            guard isWritten else {
                return hub.refuse(id, request, .unavailable, APIError.ledgerUnavailable)
            }
            let snapshot = early ?? self.snapshot(key, account)
            hub.begin(
                id, request,
                [
                    { ServerMessageWriter.subscribed(id: request.id, to: key, sequence: sequence, into: &$0) },
                    { $0 += snapshot },
                ])
        }
    }

    private func snapshot(_ key: ChannelKey, _ account: PaperAccount?) -> [UInt8] {
        var sink: [UInt8] = []
        ServerMessageWriter.channelHead("snapshot", key, sequence: account.map { Int64($0.sequence) }, into: &sink)
        switch key.channel {
        case .orders:
            if let account {
                orders(account, into: &sink)
            } else {
                sink.list("orders", [Order<Paper>]())
                sink.list("fills", [Fill<Paper>]())
            }
        case .positions:
            sink.list("positions", account?.exchange.positions() ?? [])
        case .portfolio:
            sink.list("portfolios", account?.exchange.portfolios() ?? [])
        case .events:
            sink.list("events", events.newest(EventLog.Filter(account: key.account)) ?? [])
        case .markets: states?.writeMarkets(into: &sink)
        case .health: states?.writeHealth(key, into: &sink)
        }
        sink.json("}")
        return sink
    }

    /// The newest first.
    private func orders(_ account: PaperAccount, into sink: inout [UInt8]) {
        let state = account.exchange.account
        let active = state.orders(limit: Self.snapshotOrders) { $0.status.isActive }
        let done = account.exchange.orders(limit: Self.snapshotPast) { !$0.status.isActive }
        sink.list("orders", (active + done).sorted { $0.id.number > $1.id.number })
        sink.list("fills", state.recentFills.suffix(Self.snapshotPast).reversed())
    }

    // MARK: Publishing

    /// Publishes positions and balances where they changed and have readers.
    func publishStates() {
        for account in accounts where account.publishedRevision != account.exchange.revision {
            account.publishedRevision = account.exchange.revision
            let text = account.id.description
            let (positions, portfolio) = (ChannelKey(.positions, account: text), ChannelKey(.portfolio, account: text))
            guard hub.hasReaders(positions) || hub.hasReaders(portfolio) else { continue }
            let sequence = Int64(account.sequence)
            let (open, money) = (account.exchange.positions(), account.exchange.portfolios())
            afterCommit { [hub] isWritten in
                guard isWritten else { return }
                hub.publish("positions", positions, sequence: sequence) { $0.list("positions", open) }
                hub.publish("portfolio", portfolio, sequence: sequence) { $0.list("portfolios", money) }
            }
        }
    }

    /// All that is known, for every reader: after the accounts were made again.
    func publishSnapshots() {
        for key in hub.activeKeys where key.channel.needsAccount {
            let account = accounts.first { $0.id.description == key.account }
            let snapshot = snapshot(key, account)
            hub.publish(key, isState: false) { $0 += snapshot }
        }
    }

    /// An account was reset: its readers get its orders as a snapshot. Those of one that was deleted see that nothing is left.
    func publishOrders(of id: AccountID<Paper>) {
        let account = accounts.first { $0.id == id }
        for key in hub.activeKeys where key.account == id.description {
            guard key.channel == .orders || (account == nil && key.channel != .events) else { continue }
            let snapshot = snapshot(key, account)
            afterCommit { [hub] isWritten in
                if isWritten { hub.publish(key, isState: false) { $0 += snapshot } }
            }
        }
    }
}
