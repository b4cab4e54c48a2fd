import MarketModel
import Testing

@testable import MarketFeeds

@Suite("Configurations of providers")
struct ProviderConfigurationTests {
    @Test("an address alone is a configuration: the integration guide's provider")
    func defaults() throws {
        let provider = try ProviderExamples.configuration("guide")
        #expect(provider.name == "provider" && provider.timeframe == .m1 && provider.tokenVariable == nil)
        #expect(provider.shape == ProviderShape())
        let adapter = try ProviderAdapter(provider)
        #expect(adapter.historyEndpoint == "https://stream.example.com")
        #expect(adapter.capabilities.assumesGranted && !adapter.capabilities.detectsDuplicates)
    }

    @Test("each example of the documentation is a configuration", arguments: ProviderExamples.names)
    func examples(name: String) throws {
        let provider = try ProviderExamples.configuration(name)
        #expect(provider.name == (name == "guide" ? "provider" : name))
        #expect(!ProviderExamples.messages(name).isEmpty)
    }

    @Test(
        "what is wrong is reported with its line, its key, what is there and what is allowed",
        arguments: [
            ("{", "line 1: this is not valid JSON"), ("[]", "the file must be an object, and is an array"),
            ("{}", "\"url\" is missing"), (#"{"url":"http://a"}"#, "begins with wss:// or ws://, and is \"http://a\""),
            (
                "{\n\"url\":\"wss://a\",\n\"subscibe\":{}}",
                "line 3: \"subscibe\" is not a valid key; did you mean \"subscribe\"?"
            ),
            (#"{"url":"wss://a","zzzzzzzz":1}"#, "allowed are url, name"),
            (#"{"url":"wss://a","url":"wss://b"}"#, "\"url\" is there twice"),
            (#"{"url":"wss://a","time":"sec"}"#, "one of s, ms, us, ns, iso8601, and is \"sec\""),
            (#"{"url":"wss://a","timeframe":"2m"}"#, "one of 1s, 5s"),
            (#"{"url":"wss://a","tick":{"price":5}}"#, "\"tick.price\" must be a path as"),
            (#"{"url":"wss://a","tick":{"price":null}}"#, "and is null"),
            (#"{"url":"wss://a","tick":{"price":"a..b"}}"#, "and is \"a..b\""),
            (#"{"url":"wss://a","tick":{"prize":"p"}}"#, "did you mean \"price\"?"),
            (#"{"url":"wss://a","tick":{"numbering":"consecutive"}}"#, "left out where \"tick.id\" is"),
            (#"{"url":"wss://a","tick":null,"candle":null,"snapshot":null}"#, "one of \"tick\""),
            (#"{"url":"wss://a","subscribe":{"s":"{sym}"}}"#, "the place {sym}; allowed are {symbol}"),
            (#"{"url":"wss://a/{symbol}"}"#, "allowed is {token}"),
            (#"{"url":"wss://a","subscribe":null}"#, "\"subscribe\" must be a text or an object"),
            (#"{"url":"wss://a","name":"kraken"}"#, "another feed's name"),
            (#"{"url":"wss://a","name":"A B"}"#, "1 to 24 of a-z"),
            (#"{"url":"wss://a","symbols":["A\"B"]}"#, "none of them a quote"),
            (#"{"url":"wss://a","quote":"usd"}"#, "the name of a currency as USD"),
            (#"{"url":"wss://a","silence":0}"#, "a number from 1 to 86400, and is 0"),
            (#"{"url":"wss://a","heartbeat":{"every":5}}"#, "\"heartbeat.send\" is missing"),
            (#"{"url":"wss://a","history":{"path":"v1"}}"#, "must begin with /"),
            (#"{"url":"wss://a","timeframes":{"2m":"2"}}"#, "\"timeframes.2m\" is not a valid key"),
            (#"{"url":"wss://a","timeframes":{"1h":"60"},"timeframe":"1m"}"#, "which \"timeframes\" does not have"),
            (#"{"url":"wss://a?k={token}"}"#, "\"token_env\" does not say"),
            (#"{"url":"wss://a","token_env":"A"}"#, "{token} is used nowhere"),
            (#"{"url":"wss://a","headers":{"A:":"x"}}"#, "is not a header name"),
        ])
    func mistakes(text: String, part: String) {
        do {
            _ = try ProviderExamples.read(text)
            Issue.record("\(text) was accepted")
        } catch {
            let words = "\(error)"
            #expect(words.hasPrefix("acme.json, line ") && words.contains(part), "\(words)")
        }
    }

    @Test("a secret in the file is refused, and is not repeated in the sentence that says so")
    func secrets() throws {
        do {
            _ = try ProviderExamples.read(#"{"url":"wss://a","token":"hush-hush"}"#)
            Issue.record("a token was accepted")
        } catch {
            #expect("\(error)".contains("token_env") && !"\(error)".contains("hush"))
        }
        let provider = try ProviderExamples.configuration("rows")
        #expect(throws: FeedError.self) { try ProviderAdapter(provider) }
        #expect(throws: FeedError.self) { try ProviderAdapter(provider, token: "a\r\nb") }
        let adapter = try ProviderAdapter(provider, token: "hush-hush&")
        #expect(adapter.endpoint == "wss://stream.example.com/?key={token}")
        #expect(adapter.address(adapter.endpoint, token: "") == "wss://stream.example.com/?key=hush-hush%26")
        #expect(adapter.historyEndpoint == "https://api.example.com")
    }

    @Test("no symbol can break out of a request or an address")
    func hostile() throws {
        let adapter = try ProviderAdapter(try ProviderExamples.configuration("guide"))
        let text = try #require(adapter.request(.subscribe, ["x\"},{\"y"], number: 1))
        #expect(text == #"{"action":"subscribe","symbol":"x\"},{\"y","timeframe":"1m"}"#)
        for symbol in ["", "A\"B", "A\\", "A B", "A\u{0}", String(repeating: "A", count: 65), "a,b", "{symbol}"] {
            #expect(adapter.flaw(of: symbol) != nil, "\(symbol)")
        }
        #expect(adapter.flaw(of: "BINANCE:BTC/USDT^x") == nil)
        let history = try #require(adapter.history)
        #expect(
            history.request(symbol: "BTC/USD&x", timeframe: .h1, from: 0, to: 60)
                == "/v1/candles?symbol=BTC%2FUSD%26x&timeframe=1h&limit=1000")
    }
}
