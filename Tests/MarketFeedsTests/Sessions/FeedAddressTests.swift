import Testing

@testable import MarketFeeds

@Suite struct FeedAddressTests {
    @Test(
        "requests to another server use the venue's own path where its address has none",
        arguments: [
            ("ws://127.0.0.1:9000", "wss://ws.kraken.com/v2", "ws://127.0.0.1:9000/v2"),
            ("ws://127.0.0.1:9000/", "wss://stream.binance.com:9443/stream", "ws://127.0.0.1:9000/stream"),
            ("ws://127.0.0.1:9000/mine", "wss://ws.kraken.com/v2", "ws://127.0.0.1:9000/mine"),
            ("ws://127.0.0.1:9000/?", "wss://ws.kraken.com/v2", "ws://127.0.0.1:9000/?"),
            ("ws://127.0.0.1:9000?a=b", "wss://ws.kraken.com/v2", "ws://127.0.0.1:9000?a=b"),
            ("ws://127.0.0.1:9000", "wss://ws-feed.exchange.coinbase.com", "ws://127.0.0.1:9000"),
            ("ws://127.0.0.1:9000/", "wss://ws.bitstamp.net/", "ws://127.0.0.1:9000/"),
            ("ws://[::1]:9000", "wss://a.example/v1?x={token}", "ws://[::1]:9000/v1"),
            ("ws://[::1]:9000", "wss://a.example/{token}/v1", "ws://[::1]:9000"),
            ("nonsense", "wss://ws.kraken.com/v2", "nonsense"),
        ])
    func completed(url: String, endpoint: String, whole: String) {
        #expect(FeedAddress.completed(url, like: endpoint) == whole)
    }
}
