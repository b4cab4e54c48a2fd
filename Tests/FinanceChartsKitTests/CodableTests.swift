import FinanceChartsKit
import Foundation
import Testing

// Nothing but FinanceChartsKit is imported for the model's types: that is part of what is tested here.

@Suite("The model as JSON")
struct CodableTests {
    @Test("a tick has the field names of the protocol and survives a round trip")
    func tick() throws {
        let tick = Tick(timestamp: 1_732_130_000.123, price: 67_234.5, volume: 0.1 + 0.2)
        let data = try JSONEncoder().encode(tick)
        #expect(try JSONDecoder().decode(Tick.self, from: data) == tick)
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Double])
        #expect(object.keys.sorted() == ["price", "timestamp", "volume"])
    }

    @Test("candles decode from the answer of GET /v1/candles, in any key order and with unknown keys")
    func candles() throws {
        let json = """
            [{"timestamp":1732129980,"open":1.5,"high":2,"low":1e0,"close":1.75,"volume":0},
             {"volume":3,"close":2,"low":2,"high":2,"open":2,"timestamp":1732130040.5,"final":false}]
            """
        let candles = try JSONDecoder().decode([Candle].self, from: Data(json.utf8))
        #expect(
            candles == [
                Candle(timestamp: 1_732_129_980, open: 1.5, high: 2, low: 1, close: 1.75, volume: 0),
                Candle(timestamp: 1_732_130_040.5, open: 2, high: 2, low: 2, close: 2, volume: 3),
            ])
        #expect(try JSONDecoder().decode([Candle].self, from: JSONEncoder().encode(candles)) == candles)
    }

    @Test(
        "a missing field is an error that names it", arguments: ["timestamp", "open", "high", "low", "close", "volume"])
    func missing(field: String) throws {
        var object = ["timestamp": 1.0, "open": 1, "high": 1, "low": 1, "close": 1, "volume": 1]
        object[field] = nil
        let data = try JSONSerialization.data(withJSONObject: object)
        let error = try #require(throws: DecodingError.self) { try JSONDecoder().decode(Candle.self, from: data) }
        guard case .keyNotFound(let key, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(key.stringValue == field)
    }

    @Test("a timeframe is its short name", arguments: Timeframe.allCases)
    func timeframe(timeframe: Timeframe) throws {
        let data = try JSONEncoder().encode([timeframe])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(timeframe.rawValue)\"]")
        #expect(try JSONDecoder().decode([Timeframe].self, from: data) == [timeframe])
    }
}
