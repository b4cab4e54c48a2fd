import Testing

@testable import WebSocketTransport

@Suite("Agreeing on compression")
struct NegotiationTests {
    static let wide = WebSocketCompression(windowBits: 15)

    /// What the server is set to, what is offered, and what it answers; nil where it declines.
    static let offers: [(WebSocketCompression, [String], String?)] = [
        (wide, ["permessage-deflate"], "permessage-deflate"),
        (wide, ["permessage-deflate; client_max_window_bits"], "permessage-deflate"),
        (wide, ["Permessage-Deflate;SERVER_NO_CONTEXT_TAKEOVER"], "permessage-deflate; server_no_context_takeover"),
        (wide, ["permessage-deflate; client_no_context_takeover"], "permessage-deflate; client_no_context_takeover"),
        (wide, ["permessage-deflate; server_max_window_bits=8"], "permessage-deflate; server_max_window_bits=8"),
        (wide, ["permessage-deflate; server_max_window_bits=9"], "permessage-deflate; server_max_window_bits=9"),
        (wide, ["permessage-deflate; server_max_window_bits=15"], "permessage-deflate; server_max_window_bits=15"),
        (wide, ["permessage-deflate; server_max_window_bits=\"10\""], "permessage-deflate; server_max_window_bits=10"),
        (wide, ["permessage-deflate; client_max_window_bits=8"], "permessage-deflate; client_max_window_bits=8"),
        (wide, ["permessage-deflate; client_max_window_bits=15"], "permessage-deflate; client_max_window_bits=15"),
        (
            wide,
            [
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=11; "
                    + "client_max_window_bits=12"
            ],
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=11; "
                + "client_max_window_bits=12"
        ),
        // The default sends with a small window and says so.
        (WebSocketCompression(), ["permessage-deflate"], "permessage-deflate; server_max_window_bits=12"),
        (
            WebSocketCompression(), ["permessage-deflate; server_max_window_bits=15"],
            "permessage-deflate; server_max_window_bits=12"
        ),
        (
            WebSocketCompression(windowBits: 15, peerWindowBits: 10),
            ["permessage-deflate; client_max_window_bits"], "permessage-deflate; client_max_window_bits=10"
        ),
        (
            WebSocketCompression(windowBits: 15, peerWindowBits: 10),
            ["permessage-deflate; client_max_window_bits=9"], "permessage-deflate; client_max_window_bits=9"
        ),
        // A client that cannot limit its window must not be requested to.
        (WebSocketCompression(windowBits: 15, peerWindowBits: 10), ["permessage-deflate"], "permessage-deflate"),
        (
            WebSocketCompression(windowBits: 15, noContextTakeover: true, peerNoContextTakeover: true),
            ["permessage-deflate"],
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        ),
        // Declined, each for a reason of RFC 7692 section 7.1.
        (wide, [], nil),
        (wide, ["x-webkit-deflate-frame"], nil),
        (wide, ["permessage-deflate; unknown"], nil),
        (wide, ["permessage-deflate; server_no_context_takeover=1"], nil),
        (wide, ["permessage-deflate; client_no_context_takeover=true"], nil),
        (wide, ["permessage-deflate; server_no_context_takeover; server_no_context_takeover"], nil),
        (wide, ["permessage-deflate; client_max_window_bits; client_max_window_bits=10"], nil),
        (wide, ["permessage-deflate; server_max_window_bits"], nil),
        (wide, ["permessage-deflate; server_max_window_bits=7"], nil),
        (wide, ["permessage-deflate; server_max_window_bits=16"], nil),
        (wide, ["permessage-deflate; server_max_window_bits=08"], nil),
        (wide, ["permessage-deflate; server_max_window_bits=+9"], nil),
        (wide, ["permessage-deflate; client_max_window_bits=0"], nil),
        (wide, ["permessage-deflate; client_max_window_bits=9.0"], nil),
        // The first that can be accepted.
        (
            wide, ["x-other, permessage-deflate; unknown, permessage-deflate; server_max_window_bits=9"],
            "permessage-deflate; server_max_window_bits=9"
        ),
        (
            wide, ["permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_no_context_takeover"],
            "permessage-deflate; server_no_context_takeover"
        ),
        (wide, ["permessage-deflate, permessage-deflate; server_max_window_bits=9"], "permessage-deflate"),
    ]

    @Test("a server answers the first offer that it can accept", arguments: offers.indices)
    func accepts(index: Int) throws {
        let (configuration, headers, answer) = Self.offers[index]
        let offers = try #require(WebSocketExtension.parse(headers))
        let accepted = configuration.accept(offers)
        #expect(accepted?.answer.headerValue == answer)
        if let accepted {
            #expect(accepted.agreement.serverWindowBits == accepted.answer.serverWindowBits ?? 15)
            #expect(accepted.agreement.clientWindowBits == accepted.answer.clientWindowBits ?? 15)
            #expect(accepted.agreement.serverNoContextTakeover == accepted.answer.serverNoContextTakeover)
            #expect(accepted.agreement.clientNoContextTakeover == accepted.answer.clientNoContextTakeover)
        }
    }

    static let demanding = WebSocketCompression(
        peerWindowBits: 12, noContextTakeover: true, peerNoContextTakeover: true)

    @Test("a client offers what it is set to")
    func offer() {
        #expect(WebSocketCompression().offer.headerValue == "permessage-deflate; client_max_window_bits")
        #expect(
            Self.demanding.offer.headerValue
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                + "server_max_window_bits=12; client_max_window_bits")
    }

    static let answers: [(WebSocketCompression, [String], WebSocketCompression.Verdict)] = [
        (WebSocketCompression(), [], .declined),
        (WebSocketCompression(), ["permessage-deflate"], .agreed(DeflateAgreement())),
        (
            WebSocketCompression(), ["permessage-deflate; server_no_context_takeover; server_max_window_bits=9"],
            .agreed(DeflateAgreement(serverNoContextTakeover: true, serverWindowBits: 9))
        ),
        (
            WebSocketCompression(), ["permessage-deflate; client_no_context_takeover; client_max_window_bits=8"],
            .agreed(DeflateAgreement(clientNoContextTakeover: true, clientWindowBits: 8))
        ),
        // We do what we announced, whether it is repeated or not.
        (
            demanding, ["permessage-deflate; server_no_context_takeover; server_max_window_bits=11"],
            .agreed(
                DeflateAgreement(serverNoContextTakeover: true, clientNoContextTakeover: true, serverWindowBits: 11))
        ),
        (demanding, ["permessage-deflate; server_no_context_takeover"], .invalid),
        (demanding, ["permessage-deflate; server_no_context_takeover; server_max_window_bits=13"], .invalid),
        (demanding, ["permessage-deflate; server_max_window_bits=12"], .invalid),
        (WebSocketCompression(), ["x-other"], .invalid),
        (WebSocketCompression(), ["permessage-deflate, permessage-deflate"], .invalid),
        (WebSocketCompression(), ["permessage-deflate", "x-other"], .invalid),
        (WebSocketCompression(), ["permessage-deflate; unknown=1"], .invalid),
        (WebSocketCompression(), ["permessage-deflate; client_max_window_bits"], .invalid),
        (WebSocketCompression(), ["permessage-deflate; server_max_window_bits=16"], .invalid),
        (WebSocketCompression(), ["permessage-deflate; server_no_context_takeover=0"], .invalid),
        (
            WebSocketCompression(), ["permessage-deflate; server_max_window_bits=9; server_max_window_bits=9"],
            .invalid
        ),
    ]

    @Test("a client accepts an answer that belongs to its offer, and fails on any other", arguments: answers.indices)
    func judges(index: Int) throws {
        let (configuration, headers, verdict) = Self.answers[index]
        #expect(configuration.judge(try #require(WebSocketExtension.parse(headers))) == verdict)
    }

    @Test("our client accepts what our server answers, whatever both are set to")
    func agrees() throws {
        for windowBits in [9, 12, 15] {
            for peerWindowBits in [8, 9, 12, 15] {
                for takeover in 0..<4 {
                    let client = WebSocketCompression(
                        windowBits: windowBits, peerWindowBits: peerWindowBits, noContextTakeover: takeover & 1 == 1,
                        peerNoContextTakeover: takeover & 2 == 2)
                    for server in [Self.wide, WebSocketCompression(), client, Self.demanding] {
                        let offers = try #require(WebSocketExtension.parse([client.offer.headerValue]))
                        let accepted = try #require(server.accept(offers))
                        let answers = try #require(WebSocketExtension.parse([accepted.answer.headerValue]))
                        #expect(client.judge(answers) == .agreed(accepted.agreement))
                    }
                }
            }
        }
    }
}
