import Testing

@testable import MarketFeeds

@Suite("Adapters of venues")
struct FeedAdapterTests {
    @Test(
        "each has a name of its own, an example it accepts, and limits that make sense",
        arguments: FeedCatalogue.adapters.map(\.name))
    func sound(name: String) throws {
        let adapter = try #require(FeedCatalogue.adapter(named: name))
        #expect(FeedCatalogue.adapters.filter { $0.name == name }.count == 1)
        #expect(adapter.flaw(of: adapter.exampleSymbol) == nil)
        #expect(adapter.endpoint.hasPrefix("wss://"))
        #expect(adapter.limits.symbolsPerRequest <= adapter.limits.symbolsPerConnection)
        #expect(adapter.limits.messagesPerSecond > 0 && adapter.limits.messageBurst >= 1)
        #expect(try FeedSpecification("\(name):\(adapter.exampleSymbol)").name == name)
    }

    @Test("no symbol can break out of a request", arguments: FeedCatalogue.adapters.map(\.name))
    func hostile(name: String) throws {
        let adapter = try #require(FeedCatalogue.adapter(named: name))
        for symbol in ["", "A\"B", "A\\", "A B", "A\u{0}", String(repeating: "A", count: 41), "a,b", "A]}"] {
            let flaw = adapter.flaw(of: symbol)
            #expect(flaw?.contains(adapter.exampleSymbol) == true, "\(symbol)")
        }
        for action in [FeedAction.subscribe, .unsubscribe] {
            guard let text = adapter.request(action, ["x\"},{\"y"], number: 1) else { continue }
            #expect(text.contains(#"x\"},{\"y"#))
        }
    }

    @Test("what is no answer answers nothing", arguments: FeedCatalogue.adapters.map(\.name))
    func otherMessages(name: String) throws {
        let adapter = try #require(FeedCatalogue.adapter(named: name))
        for text in ["", "null", "[]", "{}", "{\"type\":5}", "{\"event\":{}}", "{\"data\":[{}]}", "nonsense"] {
            var copy = text
            let answers = copy.withUTF8 { adapter.answers(to: UnsafeRawBufferPointer($0), .other) }
            #expect(answers.allSatisfy { $0 == .unavailable(nil) }, "\(text)")
        }
    }
}
