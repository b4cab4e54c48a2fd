import StreamCore
import Testing

@Suite("Messages of channels")
struct ChannelMessageTests {
    // MARK: What a client says

    @Test("a channel and nothing else is enough to subscribe", arguments: StreamChannel.allCases)
    func subscribes(channel: StreamChannel) throws {
        let text = #"{"action":"subscribe","channel":"\#(channel.name)"}"#
        #expect(try ClientMessageTests.decode(text) == .subscribeChannel(ChannelKey(channel), id: nil))
        let end = #"{"account":null,"channel":"\#(channel.name)","x":[],"action":"unsubscribe","id":"a"}"#
        guard case .unsubscribeChannel(let key, let id) = try ClientMessageTests.decode(end) else {
            Issue.record("no end of a channel")
            return
        }
        #expect(key == ChannelKey(channel))
        #expect(id?.json == Array("\"a\"".utf8))
    }

    @Test("an account is needed by three channels, may narrow the events, and means nothing to the others")
    func accounts() {
        for channel in [StreamChannel.positions, .orders, .portfolio] {
            #expect(channel.needsAccount)
            #expect(ChannelKey(channel).account == "paper-main")
            #expect(ChannelKey(channel, account: "paper-scalping").account == "paper-scalping")
        }
        #expect(ChannelKey(.events).account == nil)
        #expect(ChannelKey(.events, account: "paper-main").account == "paper-main")
        for channel in [StreamChannel.markets, .health] {
            #expect(!channel.needsAccount)
            #expect(ChannelKey(channel, account: "paper-main") == ChannelKey(channel))
        }
    }

    @Test("requests look as the protocol defines them, to the letter, and are read again")
    func requests() throws {
        let orders = ClientMessage.subscribeChannel(ChannelKey(.orders), id: RequestID(7))
        #expect(
            written { ClientMessageWriter.write(orders, into: &$0) }
                == #"{"action":"subscribe","channel":"orders","account":"paper-main","id":7}"#)
        let health = ClientMessage.unsubscribeChannel(ChannelKey(.health), id: nil)
        #expect(
            written { ClientMessageWriter.write(health, into: &$0) } == #"{"action":"unsubscribe","channel":"health"}"#)
        for channel in StreamChannel.allCases {
            for account in [nil, "paper-main", "a \"quoted\"\nname"] {
                let key = ChannelKey(channel, account: account)
                for message in [
                    ClientMessage.subscribeChannel(key, id: nil), .unsubscribeChannel(key, id: RequestID(3)),
                    .subscribeChannel(key, id: RequestID(4), cancelsOnDisconnect: channel == .orders),
                ] {
                    let text = written { ClientMessageWriter.write(message, into: &$0) }
                    #expect(try ClientMessageTests.decode(text) == message)
                }
            }
        }
    }

    @Test(
        "errors name the field and what it may be",
        arguments: [
            (
                #"{"action":"subscribe","channel":"fills","id":4}"#, WireError.Code.unknownChannel, "channel",
                "\"fills\"; allowed are markets, positions, orders, portfolio, events, health"
            ),
            (#"{"action":"unsubscribe","channel":""}"#, .unknownChannel, "channel", "allowed are markets"),
            (
                #"{"action":"subscribe","symbol":"BTC-USD","channel":"orders"}"#, .invalidField, "channel",
                "cannot stand beside \"symbol\""
            ),
            (
                #"{"action":"unsubscribe","channel":"orders","timeframe":"1m"}"#, .invalidField, "channel",
                "cannot stand beside"
            ),
            (#"{"action":"subscribe","channel":["orders"]}"#, .invalidField, "channel", "one of markets, positions"),
            (#"{"action":"subscribe","channel":"orders","account":5}"#, .invalidField, "account", "\"paper-main\""),
            (#"{"action":"subscribe","channel":"orders","account":""}"#, .invalidField, "account", "\"paper-main\""),
            (
                #"{"action":"subscribe","channel":"orders","account":"\#(String(repeating: "x", count: 65))"}"#,
                .invalidField, "account", "1 to 64 bytes"
            ),
            (#"{"action":"subscribe"}"#, .missingField, "symbol", "\"channel\" one of markets"),
            (#"{"action":"unsubscribe","channel":null}"#, .missingField, "symbol", "\"channel\" one of markets"),
        ])
    func errors(text: String, code: WireError.Code, field: String, part: String) {
        let error = ClientMessageTests.error(text)
        #expect(error?.code == code)
        #expect(error?.field == field)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "no error")")
        #expect(error?.isMalformed == true)
    }

    @Test("an error about a channel carries the id of the request it answers")
    func errorID() {
        #expect(ClientMessageTests.error(#"{"action":"subscribe","channel":"x","id":9}"#)?.requestID?.number == 9)
    }

    // MARK: What a server says

    @Test("the head of a message looks as the protocol defines it, to the letter")
    func heads() {
        let orders = ChannelKey(.orders)
        #expect(
            written { ServerMessageWriter.subscribed(id: RequestID(7), to: orders, sequence: 41, into: &$0) }
                == #"{"type":"subscribed","channel":"orders","account":"paper-main","id":7,"sequence":41}"#)
        #expect(
            written { ServerMessageWriter.subscribed(id: nil, to: ChannelKey(.health), sequence: nil, into: &$0) }
                == #"{"type":"subscribed","channel":"health"}"#)
        #expect(
            written { ServerMessageWriter.unsubscribed(id: RequestID(8), from: orders, into: &$0) }
                == #"{"type":"unsubscribed","channel":"orders","account":"paper-main","id":8}"#)
        #expect(
            written {
                ServerMessageWriter.channelHead("order", orders, sequence: 42, into: &$0)
                $0.json(",\"order\":{}}")
            } == #"{"type":"order","channel":"orders","account":"paper-main","sequence":42,"order":{}}"#)
    }

    @Test(
        "of a message with a channel the head is read, wherever it stands, and whatever else the message has",
        arguments: [
            #"{"type":"order","channel":"orders","account":"paper-main","sequence":42,"order":{"id":"paper-main-o1"}}"#,
            #"{"channel":"orders","sequence":42,"price":"1.5","account":"paper-main","type":"order"}"#,
            #"{"price":"1.5","candles":7,"sequence":42,"account":"paper-main","channel":"orders","type":"order"}"#,
            #"{"sequence":42,"account":"paper-main","order":{"channel":"markets"},"type":"order","channel":"orders"}"#,
            #"{"type":"order","channel":"orders","account":"paper-main","sequence":42,"timestamp":null,"final":"yes"}"#,
        ])
    func head(text: String) throws {
        #expect(
            try ServerMessageTests.decode(text)
                == .channel(ChannelHead(type: "order", channel: .orders, account: "paper-main", sequence: 42)))
    }

    @Test("an answer has its request's id; account and sequence may be missing")
    func answers() throws {
        #expect(
            try ServerMessageTests.decode(#"{"type":"subscribed","channel":"markets","id":7}"#)
                == .channel(ChannelHead(type: "subscribed", channel: .markets, id: RequestID(7))))
        #expect(
            try ServerMessageTests.decode(#"{"type":"health","channel":"health","account":null,"sequence":null}"#)
                == .channel(ChannelHead(type: "health", channel: .health)))
    }

    @Test("an error stays an error, and a channel from the future an unknown type")
    func others() throws {
        #expect(
            try ServerMessageTests.decode(
                #"{"type":"error","channel":"orders","code":"unknown_account","message":"no","field":"account","id":7}"#
            )
                == .error(code: "unknown_account", message: "no", field: "account", id: RequestID(7)))
        #expect(
            try ServerMessageTests.decode(#"{"type":"book","channel":"depth","price":"x"}"#) == .unknown(type: "book"))
        // What other channels call a channel does not make it one: it is nested.
        #expect(
            try ServerMessageTests.decode(#"{"type":"news","data":{"channel":"orders"}}"#) == .unknown(type: "news"))
    }

    @Test(
        "what cannot be read is named",
        arguments: [
            (#"{"channel":"orders"}"#, "type"), (#"{"type":"order","channel":5}"#, "channel"),
            (#"{"type":"order","channel":"orders","account":5}"#, "account"),
            (#"{"type":"order","channel":"orders","sequence":"5"}"#, "sequence"),
        ])
    func malformed(text: String, field: String) {
        #expect {
            try ServerMessageTests.decode(text)
        } throws: {
            ($0 as? WireError)?.field == field
        }
    }

    @Test(
        "a broken message of a channel is no message",
        arguments: [#"{"type":"order","channel":"orders","order":{]"#, #"{"type":"order","channel":"orders"} {"#])
    func broken(text: String) {
        #expect {
            try ServerMessageTests.decode(text)
        } throws: {
            ($0 as? WireError)?.code == .invalidJSON
        }
    }

    @Test("a message of a channel keeps its text as it came")
    func text() {
        let text = #"{"type":"event","channel":"events","event":{"message":"é \u00e9"}}"#
        let message = ChannelMessage(head: ChannelHead(type: "event", channel: .events), json: Array(text.utf8))
        #expect(message.text == text)
    }
}
