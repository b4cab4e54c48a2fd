import Foundation
import InMemoryTracing
import MarketFeeds
import Testing
import Tracing
import WebSocketTransport

@testable import CandlewireServer

@Suite("Spans of a server", .timeLimit(.minutes(5)))
struct TracingTests {
    /// Waits for a span that has ended.
    private static func span(
        _ name: String, _ tracer: InMemoryTracer, where fits: (FinishedInMemorySpan) -> Bool = { _ in true }
    ) async throws -> FinishedInMemorySpan {
        for _ in 0..<600 {
            if let found = tracer.finishedSpans.first(where: { $0.operationName == name && fits($0) }) { return found }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("no span \(name); there are \(Set(tracer.finishedSpans.map(\.operationName)))")
        throw RunningServer.NeverStarted()
    }

    @Test("An order's way is a request, its work on the market loop, and its commit to the ledger")
    func order() async throws {
        let tracer = InMemoryTracer()
        let tracing = ServerTracing(tracer, sample: 0)
        try await RunningServer.with(feed: .simulated(symbols: ["BTC-USD"]), tracing: tracing) { server in
            let body = #"{"symbol":"BTC-USD","side":"buy","type":"limit","quantity":"0.01","limit_price":"1"}"#
            let answer = try await server.post(
                "/v1/orders", Data(body.utf8), headers: ["X-Correlation-ID": "order-of-this-test"])
            #expect(answer.status == 201)
            let request = try await Self.span("POST /v1/orders", tracer)
            let work = try await Self.span("market loop", tracer) { $0.parentSpanID == request.spanID }
            let commit = try await Self.span("ledger commit", tracer) { $0.parentSpanID == work.spanID }
            #expect(request.parentSpanID == nil && request.kind == .server)
            #expect([work, commit].allSatisfy { $0.traceID == request.traceID })
            #expect(request.attributes.get("correlation_id") == .string("order-of-this-test"))
            #expect(request.attributes.get("http.response.status_code") == .int64(201))
            // The commit lies behind the work, and inside the request, which waits for it.
            #expect(work.startInstant.nanosecondsSinceEpoch <= commit.startInstant.nanosecondsSinceEpoch)
            #expect(commit.endInstant.nanosecondsSinceEpoch <= request.endInstant.nanosecondsSinceEpoch)
            // No batch of ticks is traced at a share of 0.
            #expect(!tracer.finishedSpans.contains { $0.operationName == "tick publish" })
        }
    }

    @Test("One batch of ticks in four is traced, from the market loop to each event loop that has readers")
    func ticks() async throws {
        let tracer = InMemoryTracer()
        let tracing = ServerTracing(tracer, sample: 0.25)
        try await RunningServer.with(feed: .simulated(symbols: ["BTC-USD"]), tracing: tracing) { server in
            let reader = try await server.connect()
            try await reader.socket.send(text: #"{"action":"subscribe","symbol":"BTC-USD","timeframe":"1m"}"#)
            let deliver = try await Self.span("tick deliver", tracer)
            let publish = try await Self.span("tick publish", tracer) { $0.spanID == deliver.parentSpanID }
            #expect(publish.kind == .producer && deliver.kind == .consumer && publish.parentSpanID == nil)
            guard case .int64(let messages) = deliver.attributes.get("messages") else {
                Issue.record("\(deliver.attributes)")
                return
            }
            #expect(messages >= 1)
            await reader.socket.close()
        }
    }

    @Test("An answer of the assistant is a span with its outcome and its first event")
    func answer() async throws {
        let tracer = InMemoryTracer()
        try await RunningServer.with(
            feed: .simulated(symbols: ["BTC-USD"]), tracing: ServerTracing(tracer, sample: 0)
        ) { server in
            let body = #"{"consultationType":"markets","initialMessage":"How is BTC-USD doing?"}"#
            let made = try await server.post("/consultations", Data(body.utf8))
            #expect(made.status == 201)
            let answer = try await Self.span("model answer", tracer)
            #expect(answer.kind == .client && answer.events.map(\.name) == ["first event"])
            #expect(answer.attributes.get("outcome") == .string("answered"))
        }
    }
}
