import Logging
import MarketFeeds
import Testing

@Suite("What servers log")
struct ServerLogTests {
    @Test("The look for secrets, which every server of this suite ends with, finds them wherever they were written")
    func finding() {
        let secret = TestSecrets.remember("the-secret-of-this-test-alone")
        let writers: [(Logger) -> Void] = [
            { $0.trace("GET /?ticket=\(secret)&more") },
            { $0.debug("request", metadata: ["headers": ["x-api-key": "\(secret)"]]) },
            { logger in
                var logger = logger
                logger[metadataKey: "key"] = "\(secret)"
                logger.info("of a connection")
            },
            { logger in
                logger.notice("\(secret)")
                // More than is kept at once.
                for _ in 0..<40 { logger.notice("\(String(repeating: "x", count: 64 << 10))") }
            },
        ]
        for write in writers {
            let log = ServerLog()
            #expect(log.leaks().isEmpty)
            write(log.logger())
            #expect(log.leaks() == ["the-... (29 bytes)"])
        }
        let silent = ServerLog()
        silent.logger().error("the-secret-of-this-test-alon")
        #expect(silent.leaks().isEmpty)
    }

    @Test("A server says all it has to say to the log that is looked through")
    func everything() async throws {
        let lines = try await RunningServer.with(feed: .simulated(symbols: ["BTC-USD"])) { server in
            _ = try await server.get("/v1/nowhere")
            return server.log.lines
        }
        #expect(lines > 0)
    }
}
