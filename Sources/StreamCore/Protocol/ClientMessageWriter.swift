import MarketModel

/// Writes the client's messages, protocol version 1.
public enum ClientMessageWriter {
    public static func write(_ message: ClientMessage, into sink: inout some ByteSink) {
        switch message {
        case .auth(let token):
            sink.json("{\"action\":\"auth\",\"token\":")
            sink.string(token)
        case .subscribe(let request):
            sink.json("{\"action\":\"subscribe\"")
            stream(request.symbol, request.timeframe, into: &sink)
            requestID(request.id, into: &sink)
            if request.history != SubscribeRequest.defaultHistory {
                sink.json(",\"history\":")
                sink.integer(request.history)
            }
            if let maxRate = request.maxRate {
                sink.json(",\"max_rate\":")
                sink.number(maxRate)
            }
            if let recover = request.recover {
                sink.json(",\"recover\":{\"epoch\":")
                sink.string(recover.epoch)
                sink.json(",\"offset\":")
                sink.integer(recover.offset)
                sink.json("}")
            }
        case .unsubscribe(let symbol, let timeframe, let id):
            sink.json("{\"action\":\"unsubscribe\"")
            stream(symbol, timeframe, into: &sink)
            requestID(id, into: &sink)
        case .subscribeChannel(let key, let id):
            sink.json("{\"action\":\"subscribe\"")
            channel(key, into: &sink)
            requestID(id, into: &sink)
        case .unsubscribeChannel(let key, let id):
            sink.json("{\"action\":\"unsubscribe\"")
            channel(key, into: &sink)
            requestID(id, into: &sink)
        case .ping(let id):
            sink.json("{\"action\":\"ping\"")
            requestID(id, into: &sink)
        }
        sink.json("}")
    }

    private static func stream(_ symbol: String, _ timeframe: Timeframe?, into sink: inout some ByteSink) {
        sink.json(",\"symbol\":")
        sink.string(symbol)
        guard let timeframe else { return }
        sink.json(",\"timeframe\":")
        sink.string(timeframe.rawValue)
    }

    private static func channel(_ key: ChannelKey, into sink: inout some ByteSink) {
        sink.json(",\"channel\":\"")
        sink.json(key.channel.name)
        sink.json("\"")
        guard let account = key.account else { return }
        sink.json(",\"account\":")
        sink.string(account)
    }

    private static func requestID(_ id: RequestID?, into sink: inout some ByteSink) {
        guard let id else { return }
        sink.json(",\"id\":")
        id.json.withUnsafeBytes { sink.append($0) }
    }
}
