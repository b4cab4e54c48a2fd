import Consultation
import StreamCore
import Testing

/// Orders in words: each part of a sentence is in the card, or is named and there is no card.
@Suite struct OrderSentenceTests {
    private static let now = 1_732_269_605.0
    private static let snapshot = MarketSnapshot(
        time: now,
        quotes: [
            .init(symbol: "BTC-USD", price: 67_234.5, tickTime: now - 1),
            .init(symbol: "ETH-USD", price: 2_500, tickTime: now - 1),
            .init(symbol: "DOGE-USD", price: 0.12345, tickTime: now - 1, precision: 5),
            .init(symbol: "SOL-USD", price: 150, tickTime: now - 400),
        ], focus: "BTC-USD")

    private static let full: [(String, [String: String])] = [
        (
            "Buy 0.05 BTC with stop loss 2 % below",
            ["side": "buy", "order_type": "market", "quantity": "0.05", "stop_loss": "65889.81"]
        ),
        ("buy 0.1 btc at 65,000", ["side": "buy", "order_type": "limit", "quantity": "0.1", "limit_price": "65000"]),
        (
            "Please buy 0.1 bitcoin at 65k with a stop loss at 64000 and a take profit at 70000",
            [
                "side": "buy", "order_type": "limit", "quantity": "0.1", "limit_price": "65000", "stop_loss": "64000",
                "take_profit": "70000",
            ]
        ),
        (
            "buy 1 ETH, take profit 4%, stop 2%",
            ["side": "buy", "order_type": "market", "quantity": "1", "take_profit": "2600", "stop_loss": "2450"]
        ),
        (
            "sell 1 ETH with a 2 % stop and tp 100 below",
            ["side": "sell", "order_type": "market", "quantity": "1", "take_profit": "2400", "stop_loss": "2550"]
        ),
        (
            "buy 0.2 BTC when it falls to 60000",
            ["side": "buy", "order_type": "limit", "quantity": "0.2", "limit_price": "60000"]
        ),
        (
            "buy 0.2 BTC if the price rises above 70,000",
            ["side": "buy", "order_type": "stop", "quantity": "0.2", "stop_price": "70000"]
        ),
        (
            "sell 0.2 BTC when BTC drops below 60000",
            ["side": "sell", "order_type": "stop", "quantity": "0.2", "stop_price": "60000"]
        ),
        (
            "sell 2 ETH once it reaches 3000",
            ["side": "sell", "order_type": "limit", "quantity": "2", "limit_price": "3000"]
        ),
        (
            "buy 2 ETH when it falls 10 % with stop loss 5 % below entry",
            ["side": "buy", "order_type": "limit", "quantity": "2", "limit_price": "2250", "stop_loss": "2137.5"]
        ),
        (
            "buy 1000 DOGE at 1 % below the market",
            ["side": "buy", "order_type": "limit", "quantity": "1000", "limit_price": "0.12222"]
        ),
        (
            "buy 0.5 ETH 100 dollars below the market",
            ["side": "buy", "order_type": "limit", "quantity": "0.5", "limit_price": "2400"]
        ),
        (
            "limit order: sell 0.5 ETH at 2600",
            ["side": "sell", "order_type": "limit", "quantity": "0.5", "limit_price": "2600"]
        ),
        ("sell 0.5 ETH at market price", ["side": "sell", "order_type": "market", "quantity": "0.5"]),
        (
            "buy 2 SOL at 140 with stop loss at 130",
            ["side": "buy", "order_type": "limit", "quantity": "2", "limit_price": "140", "stop_loss": "130"]
        ),
    ]

    @Test(
        "each part of a sentence is in the card, with prices computed from the market and rounded to its decimals",
        arguments: full)
    func cards(question: String, fields: [String: String]) throws {
        let answer = Guide.answer(question, in: Self.snapshot)
        let call = try #require(answer.calls.first, "\(answer.text)")
        let template = try TemplateTool.template(call, id: "t")
        var expected = fields
        expected["mode"] = "paper"
        var made = template.fields.compactMapValues(\.text)
        made["symbol"] = nil
        #expect(made == expected && answer.calls.count == 1)
        // What is on the card is also in the sentence and in its description.
        for price in [fields["stop_loss"], fields["take_profit"], fields["limit_price"], fields["stop_price"]] {
            guard let price else { continue }
            let written = MarketSnapshot.grouped(price)
            #expect(answer.text.contains(written) && template.description.contains(written), "\(answer.text)")
        }
    }

    @Test(
        "what is not understood is named, and there is no card without it",
        arguments: [
            ("Buy 0.05 BTC with a trailing stop of 2 %", "“trailing”"), ("buy 0.1 btc at 8 pm", "“pm”"),
            ("buy 0.1 btc post-only at 60000", "“post-only”"), ("buy 0.1 btc with 5x leverage", "“5x leverage”"),
            ("don't buy 0.1 btc", "“don't”"),
            ("buy 0,1 btc", "“0,1”"), ("buy .5 btc", "“.5”"), ("buy 500 dollars of btc", "“500 dollars”"),
            ("buy $500 of btc", "“$500”"),
            ("sell half of my btc", "“half”"), ("sell 50 % of my btc", "“50 %”"),
            ("buy 0.1 btc for 65000", "“for 65000”"),
            ("buy 0.1 btc unless it falls to 60000", "“unless”"), ("buy 0.1 btc with stop loss", "“stop loss”"),
            ("buy 0.1 btc stop loss 2 % stop loss 3 %", "“stop loss 3 %”"), ("limit buy 0.1 btc", "“limit”"),
            ("buy 0.1 btc if eth falls to 2000", "“if"), ("buy 0.1 btc with a stop limit at 60000", "“stop"),
        ])
    func unclear(question: String, part: String) {
        let answer = Guide.answer(question, in: Self.snapshot)
        #expect(answer.calls.isEmpty, "\(answer.text)")
        #expect(answer.text.contains("I propose no order") && answer.text.contains(part), "\(answer.text)")
    }

    @Test(
        "prices that cannot be are refused with what must hold",
        arguments: [
            ("buy 0.1 btc with stop loss at 70000", "the stop loss of a buy order must be below its price, 67,234.5"),
            ("sell 0.1 btc with take profit 2 % above", "the take profit of a sell order must be below"),
            ("buy 0.1 btc when it falls to 70000", "BTC-USD is at 67,234.5"),
            ("buy 0.1 btc with stop loss of 500", "Is 500 the price of the stop loss, or its distance"),
            ("buy 0.1 btc with stop loss 100 % below", "must be above 0"),
            ("buy 2 sol with stop loss 2 % below", "on a stale price"),
            ("buy 2 sol when it falls 2 %", "on a stale price"),
        ])
    func impossible(question: String, reason: String) {
        let answer = Guide.answer(question, in: Self.snapshot)
        #expect(answer.calls.isEmpty && answer.text.contains(reason), "\(answer.text)")
    }

    @Test("an order has its stop and its target, or there is none, however the parts are ordered", arguments: [19])
    func anyOrder(seed: UInt64) throws {
        var random = SeededWords(seed: seed)
        for _ in 0..<500 {
            let question = random.shuffled(["buy 0.1 btc", "stop loss 2 % below", "take profit at 70000", "at 66000"])
            let answer = Guide.answer(question, in: Self.snapshot)
            guard let call = answer.calls.first else {
                #expect(answer.text.contains("I propose no order"), "\(question): \(answer.text)")
                continue
            }
            let fields = try TemplateTool.template(call, id: "t").fields
            #expect(fields["stop_loss"] == "64680" && fields["take_profit"] == "70000", "\(question): \(fields)")
            #expect(fields["limit_price"] == "66000" && fields["quantity"] == "0.1", "\(question): \(fields)")
        }
    }

    @Test(
        "numbers in sentences have commas between thousands",
        arguments: [
            ("0", "0"), ("999.5", "999.5"), ("1000", "1,000"), ("-67278.62", "-67,278.62"),
            ("1234567.0001", "1,234,567.0001"),
            ("nan", "nan"), ("12345e5", "12345e5"),
        ])
    func groups(decimal: String, written: String) {
        #expect(MarketSnapshot.grouped(decimal) == written)
    }

    @Test("an alert keeps each of its prices")
    func alerts() {
        func made(_ question: String) -> [String] {
            Guide.answer(question, in: Self.snapshot).calls.compactMap { $0.arguments["name"]?.text }
        }
        #expect(made("alert btc above 70000 or below 60000") == ["BTC-USD above 70,000", "BTC-USD below 60,000"])
        #expect(made("alert me when btc falls 10 %") == ["BTC-USD below 60,511.05"])
        #expect(made("alert me when btc goes down 10 %") == ["BTC-USD below 60,511.05"])
        #expect(made("alert btc and eth above 70000").isEmpty)
        // A number with another word behind it is no price.
        #expect(made("alert me when btc crosses 70000 within 5 candles").isEmpty)
        #expect(made("don't alert me when btc crosses 70000").isEmpty)
    }
}
