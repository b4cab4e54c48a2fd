import MarketModel

/// Writes the client's messages, protocol version 1.
public enum ClientMessageWriter {
    public static func write(_ message: ClientMessage, into sink: inout some ByteSink) {
        switch message {
        case .auth(let token): sink.string("{\"action\":\"auth\",\"token\":", token)
        case .subscribe(let request):
            sink.json("{\"action\":\"subscribe\"")
            stream(request.symbol, request.timeframe, into: &sink)
            sink.requestID(request.id)
            if request.history != SubscribeRequest.defaultHistory { sink.integer(",\"history\":", request.history) }
            if let maxRate = request.maxRate { sink.number(",\"max_rate\":", maxRate) }
            if let recover = request.recover {
                sink.string(",\"recover\":{\"epoch\":", recover.epoch)
                sink.integer(",\"offset\":", recover.offset)
                sink.json("}")
            }
        case .unsubscribe(let symbol, let timeframe, let id):
            sink.json("{\"action\":\"unsubscribe\"")
            stream(symbol, timeframe, into: &sink)
            sink.requestID(id)
        case .subscribeChannel(let key, let id, let cancelsOnDisconnect):
            sink.json("{\"action\":\"subscribe\"")
            channel(key, into: &sink)
            if cancelsOnDisconnect { sink.json(",\"cancel_on_disconnect\":true") }
            sink.requestID(id)
        case .unsubscribeChannel(let key, let id):
            sink.json("{\"action\":\"unsubscribe\"")
            channel(key, into: &sink)
            sink.requestID(id)
        case .ping(let id):
            sink.json("{\"action\":\"ping\"")
            sink.requestID(id)
        }
        sink.json("}")
    }

    private static func stream(_ symbol: String, _ timeframe: Timeframe?, into sink: inout some ByteSink) {
        sink.string(",\"symbol\":", symbol)
        if let timeframe { sink.string(",\"timeframe\":", timeframe.rawValue) }
    }

    private static func channel(_ key: ChannelKey, into sink: inout some ByteSink) {
        sink.json(",\"channel\":\"")
        sink.json(key.channel.name)
        sink.json("\"")
        if let account = key.account { sink.string(",\"account\":", account) }
    }
}
