import MarketModel
import NIOCore
import StreamCore
import WebSocketTransport

/// What a reader sends.
extension StreamConnection {
    func webSocketText(_ bytes: UnsafeRawBufferPointer, on handler: WebSocketHandler) {
        shard.bytesIn &+= bytes.count
        do throws(WireError) {
            let message = try ClientMessage.decode(bytes)
            badRequests = 0
            if principal == nil {
                guard case .auth = message else { return refuse("The first message must be auth with a token.") }
            }
            switch message {
            case .subscribe(let request): try subscribe(request)
            case .unsubscribe(let symbol, let timeframe, let id): try unsubscribe(symbol, timeframe, id)
            case .subscribeChannel(let key, let id, let cancels): try subscribe(key, id, cancelsOnDisconnect: cancels)
            case .unsubscribeChannel(let key, let id): try unsubscribe(key, id)
            case .ping(let id): answer { ServerMessageWriter.pong(id: id, into: &$0) }
            case .auth(let token): authenticate(token)
            }
        } catch {
            answer { ServerMessageWriter.error(error, into: &$0) }
            if error.isMalformed { countBadRequest() }
        }
    }

    private func countBadRequest() {
        badRequests += 1
        guard badRequests >= Self.maximumBadRequests else { return }
        close(.badRequests, "\(badRequests) invalid requests in a row")
    }

    // MARK: Authorization

    func awaitToken() {
        authTimer = loop.assumeIsolated().scheduleTask(in: .clamped(seconds: admission.tokenTime)) {
            self.refuse("No token came within \(Int(self.admission.tokenTime)) seconds.")
        }
    }

    private func authenticate(_ token: String) {
        let renewed: Principal
        do throws(APIError) {
            renewed = try admission.access.principal(ofStreamToken: token, key: key, from: address)
        } catch {
            // A renewal that fails leaves what the earlier token gave.
            guard principal != nil else { return refuse(error.message) }
            return answer { ServerMessageWriter.error(WireError(.unauthorized, message: error.message), into: &$0) }
        }
        // Channels that the earlier token opened stay open: both must see their accounts.
        if let key = channels.keys.first(where: { refusal(of: $0, for: renewed) != nil }) {
            return refuse("The token does not open the channel \(key.channel.name), which is open; connect again.")
        }
        guard login(renewed) else {
            return refuse("\(renewed.name) has as many connections as it may have.")
        }
        authTimer?.cancel()
        authTimer = nil
        answer { ServerMessageWriter.authenticated(into: &$0) }
    }

    /// A channel as it is open, or as this reader may have it.
    private func visible(_ key: ChannelKey) -> ChannelKey {
        let limited = key.hidingAccounts
        if channels[limited] != nil { return limited }
        return channels[key] != nil || principal?.accounts == .all ? key : limited
    }

    /// Why a reader may not have a channel.
    private func refusal(of key: ChannelKey, for principal: Principal) -> WireError? {
        if key.channel == .health, !key.hidesAccounts, principal.accounts != .all {
            return WireError(.forbidden, field: "channel", message: "This token is for some accounts only.")
        }
        guard key.channel.needsAccount || key.channel == .events else { return nil }
        guard principal.scopes.contains(.read) else {
            return WireError(.forbidden, field: "channel", message: AccessControl.tokenMissing)
        }
        guard let account = key.account else {
            guard principal.accounts != .all else { return nil }
            return WireError(
                .forbidden, field: "account",
                message: "This token is for some accounts only: name one of them with \"account\".")
        }
        guard !principal.accounts.contains(account) else { return nil }
        // As where there is none.
        return WireError(.unknownAccount, field: "account", message: APIError.unknownAccount(account).message)
    }

    func refuse(_ text: String) {
        answer { ServerMessageWriter.error(WireError(.unauthorized, message: text), into: &$0) }
        close(.unauthorized, text)
    }

    // MARK: Subscriptions

    private func market(_ symbol: String, _ id: RequestID?) throws(WireError) -> Int {
        if let market = core.registry.find(symbol) { return market }
        throw WireError(
            .unknownSymbol, field: "symbol",
            message: "Unknown symbol \"\(symbol)\"; this server has \(core.registry.allowedNames).", requestID: id)
    }

    private func subscribe(_ request: SubscribeRequest) throws(WireError) {
        let key = StreamKey(market: try market(request.symbol, request.id), timeframe: request.timeframe)
        if wanted[key.slot] == nil { try checkRoom(request.id) }
        let number = beginRequest()
        wanted[key.slot] = (key, number, request.history)
        core.subscribe(id, to: key, request: StreamRequest(message: request, number: number))
    }

    /// - Returns: the number of a request for a subscription.
    private func beginRequest() -> Int {
        lastRequest += 1
        outstanding += 1
        adjustReading()
        return lastRequest
    }

    private func checkRoom(_ id: RequestID?) throws(WireError) {
        guard wanted.count + channels.count < Self.maximumSubscriptions else {
            throw WireError(
                .tooManySubscriptions,
                message: "A connection may have at most \(Self.maximumSubscriptions) subscriptions.", requestID: id)
        }
    }

    private func unsubscribe(_ symbol: String, _ timeframe: Timeframe?, _ id: RequestID?) throws(WireError) {
        let market = try market(symbol, id)
        let keys = wanted.values.map(\.key).filter {
            $0.market == market && (timeframe == nil || $0.timeframe == timeframe)
        }
        guard !keys.isEmpty else {
            throw WireError(
                .notSubscribed, field: "symbol", message: "There is no such subscription to end.", requestID: id)
        }
        for key in keys.sorted(by: { $0.slot < $1.slot }) {
            wanted[key.slot] = nil
            outbox.close(stream: key.slot)
            leave(key.slot)
            core.unsubscribe(self.id, from: key)
            answer {
                ServerMessageWriter.unsubscribed(
                    id: id, symbol: core.registry.symbolJSON[market], timeframe: key.timeframe, into: &$0)
            }
        }
    }

    private func subscribe(
        _ key: ChannelKey, _ id: RequestID?, cancelsOnDisconnect: Bool
    ) throws(WireError) {
        let key = visible(key)
        if let principal, var refusal = refusal(of: key, for: principal) {
            refusal.requestID = id
            throw refusal
        }
        if cancelsOnDisconnect, principal?.scopes.contains(.trade) != true {
            throw WireError(
                .forbidden, field: "cancel_on_disconnect", message: "This needs the scope \"trade\".", requestID: id)
        }
        if channels[key] == nil {
            try checkRoom(id)
            lastChannelStream -= 1
        }
        let number = beginRequest()
        channels[key] = (number, channels[key]?.stream ?? lastChannelStream)
        if cancelsOnDisconnect { cancelledAtEnd.insert(key) } else { cancelledAtEnd.remove(key) }
        core.subscribe(self.id, to: ChannelRequest(key: key, id: id, number: number))
    }

    private func unsubscribe(_ key: ChannelKey, _ id: RequestID?) throws(WireError) {
        let key = visible(key)
        guard let channel = channels.removeValue(forKey: key) else {
            throw WireError(
                .notSubscribed, field: "channel", message: "There is no such subscription to end.", requestID: id)
        }
        outbox.close(stream: channel.stream)
        cancelledAtEnd.remove(key)
        shard.leave(self, key)
        core.unsubscribe(self.id, from: key)
        answer { ServerMessageWriter.unsubscribed(id: id, from: key, into: &$0) }
    }
}
