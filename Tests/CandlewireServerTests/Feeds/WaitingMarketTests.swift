import CandlewireServer
import Consultation
import Foundation
import HistoryStore
import MarketFeeds
import MarketModel
import StreamCore
import TestKit
import Testing
import WebSocketTransport

/// The whole server, and a scripted venue that is silent at first, and then trades by a clock that is behind ours.
@Suite("A market before its first trade, over real sockets", .timeLimit(.minutes(15)))
struct WaitingMarketTests {
    @Test("a stored price waits for a trade, and a trade is as old as it has been here, not as its venue's clock says")
    func waiting() async throws {
        let trades = (0..<60).flatMap { second -> [PeerStep] in
            // Times go on with the seconds between.
            let match = LiveEvictionTests.match(second + 1, "13", "1", ago: 20 - Double(second))
            return [.send(match), .wait(1)]
        }
        let venue = try await ScriptedServer.start([
            [.expectAnything, .send(LiveEvictionTests.granted)],
            [.expectAnything, .send(LiveEvictionTests.granted)] + trades,
        ])
        let proxy = try await ChaosProxy.start(target: .init(port: venue.port))
        let folder = RunningServer.temporaryFolder()
        let store = try CandleStore(directory: DataDirectory.live(folder))
        let start = Timeframe.m1.bucketStart(of: Date().timeIntervalSince1970 - 10_000)
        let candle = Candle(timestamp: start, open: 10, high: 10, low: 10, close: 10, volume: 1)
        store.enqueue(StoredCandle(symbol: "coinbase:BTC-USD", timeframe: .m1, candle: candle))
        try await store.close()
        let feed = FeedSpecification.live(feed: "coinbase", symbols: ["BTC-USD"])
        let url = "ws://127.0.0.1:\(proxy.port)/"
        try await RunningServer.with(feed: feed, urls: ["coinbase": url], folder: folder) { server in
            let client = TradingClient(server: server)
            _ = try await eventually {
                let market = try await client.get("/v1/markets/BTC-USD")
                return market["waiting"] as? Bool == true && market["price"] as? Double == 10 ? true : nil
            }
            let talk = try await Talk.open(server, try await ConsultationServerTests.begin(client))
            try await talk.sendMessage("price of BTC-USD", id: "m1")
            let old = try await talk.next(.aiMessageComplete).messageID
            #expect(talk.texts[old]?.contains("2 h ago") == true, "\(talk.texts)")
            try await talk.sendMessage("are the feeds healthy?", id: "m2")
            let feeds = try await talk.next(.aiMessageComplete).messageID
            #expect(talk.texts[feeds]?.contains("coinbase is connected; no trade has come in yet.") == true)

            proxy.cutAll()
            _ = try await eventually {
                try await client.get("/v1/markets/BTC-USD")["price"] as? Double == 13 ? true : nil
            }
            #expect(try await client.get("/v1/markets/BTC-USD")["waiting"] == nil)
            // What the assistant knows of markets may be half a second old.
            var said = ""
            for attempt in 3..<8 where !said.contains("BTC-USD is at 13.00 (tick of ") {
                if attempt > 3 { try await Task.sleep(for: .milliseconds(600)) }
                try await talk.sendMessage("price of BTC-USD", id: "m\(attempt)")
                let answer = try await talk.next(.aiMessageComplete).messageID
                said = talk.texts[answer] ?? ""
            }
            #expect(said.contains("BTC-USD is at 13.00 (tick of "), "\(said)")
            await talk.socket.close()
        }
        await proxy.stop()
        await venue.stop()
    }
}
