import StreamCore

/// Where a channel's snapshots come from. Confined to the market loop.
protocol ChannelSource: AnyObject {
    /// Begins a subscription, now or when what it would show is on disk: with `ChannelHub.begin` or `refuse`.
    func begin(_ id: ConnectionID, _ request: ChannelRequest, on hub: ChannelHub)
}
