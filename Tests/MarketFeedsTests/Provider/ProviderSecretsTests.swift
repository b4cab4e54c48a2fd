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
        (#"{"url":"wss://a","headers":{"X-Auth":"hush"}}"#, "headers.X-Auth"),
        (#"{"url":"wss://a","headers":{"CB-ACCESS-SIGN":"hush"}}"#, "headers.CB-ACCESS-SIGN"),
        (#"{"url":"wss://a","headers":{"OK-ACCESS-SIGN":"hush"}}"#, "headers.OK-ACCESS-SIGN"),
        (#"{"url":"wss://a","headers":{"X-Custom":"Bearer hush"}}"#, "headers.X-Custom"),
        (#"{"url":"wss://a","headers":{"X-Custom":"basic aHVzaDpTRUNSRVQ="}}"#, "headers.X-Custom"),
        (#"{"url":"wss://a/?hushSECRET123456"}"#, "\"url\" holds a secret in its query"),
        (#"{"url":"wss://a/?x=1&hushSECRET123456"}"#, "\"url\" holds a secret in its query"),
        (#"{"url":"wss://a","history":{"path":"/c?access_key=hush"}}"#, "\"access_key\""),
        (#"{"url":"wss://a","history":{"path":"/c?sort_key=hushSECRET123"}}"#, "\"sort_key\""),
        (#"{"url":"wss://a","history":{"path":"/c?token=hushSECRET123{symbol}"}}"#, "\"token\""),
    ]

    /// The same of what is sent.
    private static let refusedRequests: [(request: String, place: String)] = [
        // Under the name of what a request does.
        (#""subscribe":{"channel":{"name":"trades","token":"hushSECRET123"}}"#, "subscribe.channel.token"),
        (#""login":{"method":{"password":"hush"}}"#, "login.method.password"),
        (#""login":{"command":"AUTH hushSECRET123"}"#, "login.command"),
        // Under an innocent name.
        (#""login":{"action":"auth","params":"hushSECRET123456"}"#, "login.params"),
        (#""login":{"op":"auth","data":"hushSECRET123456"}"#, "login.data"),
        (#""login":{"user_pwd":"hush"}"#, "login.user_pwd"), (#""login":{"userPwd":"hush"}"#, "login.userPwd"),
        (#""login":{"api_pass":"hush"}"#, "login.api_pass"), (#""login":{"client_key":"hush"}"#, "login.client_key"),
        (#""login":["AUTH","hush12345678"]"#, "login.1"), (#""login":"AUTH hush12345678""#, "\"login\""),
        (#""login":["LOGIN","HUSH1-23HUS-H4567"]"#, "login.1"),
        (#""login":"AUTH hushhushhushhushhushhushhush""#, "\"login\""),
        (#""login":"AUTH hushSECRET123 {token}""#, "\"login\""),
        // In a text that is no JSON until its places are filled, or never.
        (#""subscribe":"{\"id\":{id},\"s\":\"{symbol}\",\"token\":\"hushSECRET1\"}""#, "subscribe.token"),
        (#""subscribe":"SUB {symbol}?token=hushSECRET1""#, "\"subscribe\""),
        (#""subscribe":"42[\"sub\",{\"s\":\"{symbol}\",\"token\":\"hush\"}]""#, "\"subscribe\""),
        (#""login":"CONNECT\nAuthorization:Bearer hush\n""#, "\"login\""),
        (#""login":"CONNECT\nlogin:bob\npasscode:hush\n""#, "\"login\""), (#""login":"token:hush""#, "\"login\""),
        (#""login":["CONNECT\npasscode:hush\n"]"#, "login.0"),
        (#""subscribe":{"topic":"token:hushSECRET123:{symbol}"}"#, "subscribe.topic"),
        (#""heartbeat":{"send":"PING token=hushSECRET1"}"#, "\"heartbeat.send\""),
        (#""heartbeat":{"send":{"op":"PING token=hushSECRET1"}}"#, "\"heartbeat.send.op\""),
        // In JSON within a text.
        (#""subscribe":{"event":"sub","data":"{\"token\":\"hush\"}"}"#, "subscribe.data.token"),
        (#""subscribe":{"event":"{\"token\":\"hush\"}"}"#, "subscribe.event.token"),
        (#""login":{"data":"{\"a\":\"[\\\"hushSECRET123456\\\"]\"}"}"#, "login.data.a.0"),
        // Within what holds one.
        (#""login":{"auth":{"user_id":"P-12345678","value":"hush"}}"#, "login.auth.value"),
        (#""login":{"auth":{"value":"hushSECRET123","token":"{token}"}}"#, "login.auth.value"),
        (#""login":{"auth":{"password":"hush","token":"{token}"}}"#, "login.auth.password"),
        (#""subscribe":{"s":"{symbol}","credentials":["hush"]}"#, "subscribe.credentials.0"),
        // Beside the name of a market.
        (#""subscribe":{"token":"hushSECRET {symbol}"}"#, "subscribe.token"),
        (#""subscribe":{"token":"hushSECRET123:{symbol}"}"#, "subscribe.token"),
        (#""subscribe":{"s":"{symbol}","sort_key":"hushSECRET123"}"#, "subscribe.sort_key"),
    ]

    @Test("wherever a secret stands, its key is named and what to write instead, and it is not repeated")
    func refuses() {
        let requests = Self.refusedRequests.map {
            (file: #"{"url":"wss://a","token_env":"T",\#($0.request)}"#, place: $0.place)
        }
        for (text, place) in Self.refused + requests {
            let error = #expect(throws: FeedError.self, "\(text)") { try ProviderExamples.read(text) }
            let words = error.map { "\($0)" } ?? ""
            #expect(words.hasPrefix("acme.json, line 1: ") && words.contains(place), "\(text): \(words)")
            #expect(words.contains("{token}") || words.contains("token_env"), "\(words)")
            let lower = words.lowercased()
            #expect(!lower.contains("hush") && !lower.contains("secret1") && !lower.contains("ahvza"), "\(words)")
        }
    }

    @Test("the place of a token, the name of a user, and channels that are called keys are none")
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
            #"{"url":"wss://a/?BTC-USD&1m"}"#,
            #"{"url":"wss://a","history":{"path":"/c?token={symbol}"}}"#,
            #"{"url":"wss://a","history":{"path":"/c?key={symbol}"}}"#,
            #"{"url":"wss://a","history":{"path":"/c?sort_key=time&symbol={symbol}"}}"#,
            #"{"url":"wss://a","token_env":"T","headers":{"X-Custom":"Bearer {token}","X-Auth-Type":"hmac"}}"#,
        ] {
            let provider = try ProviderExamples.read(text)
            #expect(provider.url.text.hasPrefix("wss://a"), "\(text)")
        }
    }

    @Test("a login may name its user and host, and a request its subject, beside the place of the token")
    func takesRequests() throws {
        for request in [
            #""login":{"auth":{"user_id":"P-12345678","token":"{token}"}}"#,
            #""login":{"authorization":{"host":"api.example.com","token":"{token}"}}"#,
            #""login":{"authorization":{"host":"a1b2c3d4e5f6.example.com","x-api-key":"{token}"}}"#,
            #""login":{"auth":{"user":"bob","ttl":3600,"token":"{token}"}}"#,
            #""login":{"auth":{"parts":{"token":"{token}"},"ttl":3600}}"#,
            #""login":{"user":"u-1A2B3C4D5E","data":"{token}"}"#,
            #""login":{"op":"auth","args":["user12345","{token}"]}"#,
            #""login":{"credentials":["bob","{token}"]}"#,
            #""login":"AUTH user12345 {token}""#, #""login":"AUTH:user12345:{token}""#,
            #""login":"CONNECT\nAuthorization:Bearer {token}\n""#,
            #""login":"{\"id\":1,\"token\":{token}}""#,
            #""login":{"type":"authenticationRequest","token":"{token}"}"#,
            #""login":{"event":"join","topic":"room:lobby12345","token":"{token}"}"#,
            #""login":{"topic":"auth:lobby","token":"{token}"}"#,
            #""login":{"type":"auth","data":"{\"token\":\"{token}\"}"}"#,
            #""subscribe":"SUB {symbol}?token={token}""#,
            #""subscribe":"{\"id\":{id},\"s\":\"{symbol}\",\"token\":\"{token}\"}""#,
            #""subscribe":{"s":"{symbol}","token":"{token}","sort_key":"time"}"#,
            #""login":"{token}","subscribe":{"token":"spot:{symbol}"}"#,
            #""login":"{token}","subscribe":"SUB key=trade:1m:{symbol}""#,
            #""login":"{token}","subscribe":{"channel":"depth20100ms","s":"{symbol}"}"#,
        ] {
            let provider = try ProviderExamples.read(#"{"url":"wss://a","token_env":"T",\#(request)}"#)
            #expect(provider.tokenVariable == "T", "\(request)")
        }
    }

    @Test("what is said to be written instead is allowed there")
    func remedies() {
        for (text, sentence) in [
            (
                #"{"url":"wss://a","heartbeat":{"send":{"op":"ping","token":"hush"}}}"#,
                "no secret can stand there, for {id} is its only place; "
            ),
            (#"{"url":"wss://a","rest":"https://a/?token=hush"}"#, "\"rest\" has no query; "),
            (#"{"url":"wss://hush@a"}"#, "in a path or a query an @ is written %40"),
        ] {
            let error = #expect(throws: FeedError.self, "\(text)") { try ProviderExamples.read(text) }
            let words = error.map { "\($0)" } ?? ""
            #expect(words.contains(sentence) && !words.contains("write {token} in its place"), "\(words)")
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
