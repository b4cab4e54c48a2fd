import StreamCore

// The channels that the page wants: `StreamChannel` by number, and an account where the channel is about one.

/// Wants a channel; for one that is live already, a new snapshot. Answers 0 for a channel that there is not.
@_expose(wasm, "cw_session_channel_subscribe")
@_cdecl("cw_session_channel_subscribe")
public func cw_session_channel_subscribe(
    _ handle: Int32, _ channel: Int32, _ account: UnsafePointer<UInt8>?, _ length: Int32, _ now: Double
) -> Int32 {
    guard let session = session(handle), let key = channelKey(channel, account, length) else { return 0 }
    session.machine.subscribe(key, now: now)
    return 1
}

@_expose(wasm, "cw_session_channel_unsubscribe")
@_cdecl("cw_session_channel_unsubscribe")
public func cw_session_channel_unsubscribe(
    _ handle: Int32, _ channel: Int32, _ account: UnsafePointer<UInt8>?, _ length: Int32, _ now: Double
) {
    guard let session = session(handle), let key = channelKey(channel, account, length) else { return }
    session.machine.unsubscribe(key, now: now)
}

/// - Parameter length: of the account in bytes; 0: none is named.
private func channelKey(_ channel: Int32, _ account: UnsafePointer<UInt8>?, _ length: Int32) -> ChannelKey? {
    guard let channel = UInt8(exactly: channel).flatMap({ StreamChannel(rawValue: $0) }) else { return nil }
    guard let account, length > 0 else { return ChannelKey(channel) }
    let bytes = UnsafeBufferPointer(start: account, count: Int(length))
    return ChannelKey(channel, account: String(decoding: bytes, as: UTF8.self))
}
