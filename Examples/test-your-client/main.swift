// Testing a client of your own: against a server that plays a script, and through a network that breaks.
// Run it with: swift run example-test-your-client

import StreamCore
import TestKit
import WebSocketTransport

/// The client under test: asks for prices from where it was, and comes back when the connection is lost.
actor PriceClient {
    private let url: String
    private(set) var prices = 0
    private(set) var connections = 0

    init(url: String) {
        self.url = url
    }

    func run(until wanted: Int) async {
        while prices < wanted {
            guard let socket = try? await WebSocketConnector.connect(url: url) else {
                try? await Task.sleep(for: .milliseconds(20))
                continue
            }
            connections += 1
            try? await socket.send(text: "prices from \(prices)")
            for await event in socket.events {
                if case .text = event { prices += 1 }
                if prices >= wanted { break }
            }
            await socket.close()
        }
    }
}

// 1. A script says what the server does, and what it expects.
let scripted = try await ScriptedServer.start([
    [.expect("prices from 0"), .send("100.5"), .send("100.6"), .wait(0.1), .cut],
    [.refuse(status: 503, retryAfter: 1)],
    [.expect("prices from 2"), .send("100.7"), .expectClose(.normal)],
])
let careful = PriceClient(url: scripted.url)
await careful.run(until: 3)
// Throws, and says where, if the client did anything else.
try await scripted.finish()
print("script: \(await careful.prices) prices over \(await careful.connections) connections")

// 2. A proxy breaks the network: here it cuts each connection after 220 bytes from the server, wherever that is.
let prices = Array(repeating: PeerStep.send("a price of a few bytes"), count: 10)
let server = try await ScriptedServer.start(
    Array(repeating: [.expectText(containing: "prices from")] + prices, count: 100))
let proxy = try await ChaosProxy.start(
    target: .init(port: server.port), settings: ChaosSettings(cutAfter: 220, direction: .down), seed: 7)
let patient = PriceClient(url: "ws://127.0.0.1:\(proxy.port)/")
await patient.run(until: 10)
print("chaos: \(await patient.prices) prices over \(await patient.connections) connections, \(proxy.counts.cut) cuts")
precondition(proxy.counts.cut > 0)
await proxy.stop()
await server.stop()
