import CandlewireServer
import Consultation
import Testing

@Suite("Reading consultations over HTTP", .timeLimit(.minutes(15)))
struct ConsultationReadingTests {
    @Test("issue 7: a client that reads or exports too often is refused for a while, and can still write")
    func limits() async throws {
        var options = ConsultationOptions()
        options.exportBurst = 2
        options.exportsPerMinute = 0.001
        options.readBurst = 3
        options.readsPerSecond = 0.001
        try await RunningServer.with(feed: ConsultationServerTests.feed, consultation: options) { server in
            let client = TradingClient(server: server)
            let id = try await ConsultationServerTests.begin(client)
            for _ in 0..<2 { #expect(try await client.get("/consultations/\(id)/export").status == 200) }
            let refused = try await client.get("/consultations/\(id)/export?format=markdown")
            #expect(refused.status == 429 && refused.errorCode == "rate_limited")
            #expect(refused.errorMessage.contains("exports"))
            try Self.expectWait(of: refused, upTo: 60_000)
            // Other reading has a limit of its own, for lists, consultations and messages together.
            for path in ["/consultations", "/consultations/\(id)", "/consultations/\(id)/messages"] {
                #expect(try await client.get(path).status == 200)
            }
            let again = try await client.get("/consultations")
            #expect(again.errorCode == "rate_limited")
            try Self.expectWait(of: again, upTo: 1_000)
            #expect(try await server.status("DELETE", "/consultations/\(id)") == 204)
        }
    }

    /// RFC 9110, section 10.2.3: a header of whole seconds, rounded up; the body says the same more finely.
    static func expectWait(of answer: TradingClient.Answer, upTo longest: Double) throws {
        let wait = try #require(answer.errorRetryAfter)
        #expect(wait > 0 && wait <= longest)
        #expect(answer.retryAfter == "\(Int(wait.rounded(.up)))")
    }
}
