import MarketFeeds
import Testing

@testable import CandlewireServer

@Suite struct EchoEndpointTests {
    @Test(
        "/raw accepts large messages from any client, so it is there for this machine only, unless it is requested",
        arguments: [
            ("127.0.0.1", nil, true), ("::1", nil, true), ("localhost", nil, true), ("0.0.0.0", nil, false),
            ("192.0.2.1", nil, false), ("0.0.0.0", true, true), ("127.0.0.1", false, false),
        ] as [(String, Bool?, Bool)])
    func echoes(host: String, setting: Bool?, expected: Bool) throws {
        var configuration = ServerConfiguration(
            host: host, feed: try FeedSpecification("sim:BTC-USD"), dataDirectory: "unused")
        configuration.servesEcho = setting
        #expect(configuration.echoes == expected)
    }
}
