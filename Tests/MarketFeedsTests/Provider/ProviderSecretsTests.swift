import Foundation
import MarketModel
import Testing

@testable import MarketFeeds

@Suite("Secrets in configurations of providers")
struct ProviderSecretsTests {
    /// A file, and what the sentence that refuses it calls the place.
    private static let refused: [(file: String, place: String)] = [
        (#"{"url":"wss://a","headers":{"Authorization":"Bearer hushSECRET123456"}}"#, "headers.Authorization"),
        (
            #"{"url":"wss://a","headers":{"proxy-authorization":"Basic aHVzaDpTRUNSRVQ="}}"#,
            "headers.proxy-authorization"
        ),
        (#"{"url":"wss://a","headers":{"Cookie":"session=hushSECRET"}}"#, "headers.Cookie"),
        (#"{"url":"wss://a","headers":{"X-API-Key":"hush"}}"#, "headers.X-API-Key"),
        (#"{"url":"wss://a","headers":{"X-API-Key":["hush"]}}"#, "headers.X-API-Key"),
        (#"{"url":"wss://a","token_env":"T","headers":{"X-Secret":"hush-SECRET123 {token}"}}"#, "headers.X-Secret"),
        (#"{"url":"wss://hush:SECRET123@a/"}"#, "\"url\""), (#"{"url":"wss://SECRET123@a/"}"#, "\"url\""),
        (#"{"url":"ws://hush:SEC/RET@a/"}"#, "\"url\""), (#"{"url":"https://hush:SECRET@a/"}"#, "\"url\""),
        (#"{"url":"wss://a","rest":"https://hush:SECRET123@a"}"#, "\"rest\""),
        (#"{"url":"wss://a/?key=SECRET123"}"#, "field \"key\""), (#"{"url":"wss://a?x=1&token=hush"}"#, "\"token\""),
        (#"{"url":"wss://a?api_key=hush"}"#, "\"api_key\""), (#"{"url":"wss://a?apikey=hush"}"#, "\"apikey\""),
        (#"{"url":"wss://a?access_token=hush"}"#, "\"access_token\""),
        (#"{"url":"wss://a?secret=hush"}"#, "\"secret\""),
        (#"{"url":"wss://a?password=hush"}"#, "\"password\""), (#"{"url":"wss://a?signature=hush"}"#, "\"signature\""),
        (#"{"url":"wss://a?%6Bey=hush"}"#, "\"%6Bey\""),
        (#"{"url":"wss://a?token={token}hushSECRET123"}"#, "\"token\""),
        (#"{"url":"wss://a","history":{"path":"/c?key=hush"}}"#, "\"history.path\""),
        (#"{"url":"wss://a","login":{"action":"auth","key":"hush"}}"#, "login.key"),
        (#"{"url":"wss://a","login":{"op":"login","args":[{"apiKey":"hush"}]}}"#, "login.args.0.apiKey"),
        (#"{"url":"wss://a","login":{"op":"login","args":["hushSECRET123456"]}}"#, "login.args.0"),
        (#"{"url":"wss://a","login":{"auth":{"type":"key","value":"hush"}}}"#, "login.auth.value"),
        (#"{"url":"wss://a","login":{"password":123456}}"#, "login.password"),
        (#"{"url":"wss://a","login":"{\"key\":\"hush\"}"}"#, "login.key"),
        (#"{"url":"wss://a","login":"AUTH hushSECRET123456"}"#, "\"login\""),
        (#"{"url":"wss://a","subscribe":{"s":"{symbol}","token":"hush"}}"#, "subscribe.token"),
        (#"{"url":"wss://a","unsubscribe":{"s":"{symbol}","key":"hushSECRET123456"}}"#, "unsubscribe.key"),
        (#"{"url":"wss://a","heartbeat":{"send":{"op":"ping","token":"hush"}}}"#, "heartbeat.send.token"),
        (#"{"url":"wss://a","token":"hushSECRET"}"#, "a token must not stand in the file"),
        (#"{"url":"wss://a","token_env":"hush-SECRET"}"#, "\"token_env\""),
        (#"{"url":"wss://a","headers":{"Authorization: Bearer hushSECRET":"x"}}"#, "Authorization"),
    ]

    @Test("wherever a secret stands, its key is named and what to write instead, and it is not repeated")
    func refuses() {
        for (text, place) in Self.refused {
            let error = #expect(throws: FeedError.self, "\(text)") { try ProviderExamples.read(text) }
            let words = error.map { "\($0)" } ?? ""
            #expect(words.hasPrefix("acme.json, line 1: ") && words.contains(place), "\(text): \(words)")
            #expect(words.contains("{token}") || words.contains("token_env"), "\(words)")
            let lower = words.lowercased()
            #expect(!lower.contains("hush") && !lower.contains("secret1") && !lower.contains("ahvza"), "\(words)")
        }
    }

    @Test("the place of a token, who somebody is, and channels that are called keys are none")
    func takes() throws {
        for text in [
            #"{"url":"wss://a?key={token}&x=1","token_env":"T"}"#,
            #"{"url":"wss://a?auth=Bearer%20{token}","token_env":"T"}"#,
            #"{"url":"wss://a","token_env":"T","headers":{"Authorization":"Bearer {token}","X-Api-Key-Id":"P-12345678"}}"#,
            #"{"url":"wss://a","token_env":"T","headers":{"X-Key":"{token}","User-Agent":"candlewire/1.0 (a long word)"}}"#,
            #"{"url":"wss://a","token_env":"T","login":{"op":"login","args":[{"apiKey":"{token}"}]}}"#,
            #"{"url":"wss://a","token_env":"T","login":"LOGIN {token}"}"#,
            #"{"url":"wss://a","login":{"event":"phx_join","topic":"lobby","payload":{},"ref":1}}"#,
            #"{"url":"wss://a","subscribe":{"event":"subscribe","channel":"candles","key":"trade:1m:{symbol}"}}"#,
            #"{"url":"wss://a","subscribe":{"s":"{symbol}","key":"trades"}}"#,
            #"{"url":"wss://a/ws/btcusdt%40trade?session=regular"}"#,
        ] {
            let provider = try ProviderExamples.read(text)
            #expect(provider.url.text.hasPrefix("wss://a"), "\(text)")
        }
    }

    @Test("an address that serving would refuse is refused with its file and its key")
    func addresses() throws {
        for (url, rest) in [
            ("wss://:443/", nil), ("wss://a:b/", nil), ("wss://a:0", nil), ("wss://a/x#y", nil), ("wss://[::1/", nil),
            ("wss://{token}.a/", nil), ("wss://a\\\\b/", nil), ("wss://a", "https://"), ("wss://a", "https:///x"),
            ("wss://a", "https://:80"), ("wss://a", "https://h?x=1"), ("wss://a", "ftp://h"),
            ("wss://a", "https://a b"),
        ] as [(String, String?)] {
            let part = rest.map { #","rest":"\#($0)""# } ?? ""
            let text = #"{"url":"\#(url)"\#(part)}"#
            let error = #expect(throws: FeedError.self, "\(text)") { try ProviderExamples.read(text) }
            let words = error.map { "\($0)" } ?? ""
            #expect(
                words.hasPrefix("acme.json, line 1: \"\(rest == nil ? "url" : "rest")\" must be an address"), "\(words)"
            )
        }
        for url in ["wss://a", "ws://127.0.0.1:9000/v1?x=1", "wss://[::1]:443/", "wss://a_b.example.com"] {
            for rest in ["", #","rest":"http://127.0.0.1:8080/api/""#] {
                let adapter = try ProviderAdapter(ProviderExamples.read(#"{"url":"\#(url)"\#(rest)}"#))
                _ = try VenueHistory(try #require(adapter.history))
            }
        }
    }
}
