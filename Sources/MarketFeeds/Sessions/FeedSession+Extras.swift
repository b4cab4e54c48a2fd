import StreamCore

/// What is asked for besides the trades: the venue's own candles, best prices. Nothing waits for it.
extension FeedSession {
    /// Numbers of requests that are remembered, so that a refusal is not taken for one of the trades.
    private static let rememberedExtras = 1000

    /// Sends what may be sent by now. Only while no trades wait to be granted: a venue that names no request in its
    /// answers means the oldest one.
    mutating func pumpExtras(_ line: Int, _ now: Double) {
        while let (action, extra, chosen) = nextExtra(lines[line]) {
            let number = lines[line].lastNumber + 1
            let names = chosen.map { states[$0].name }
            let text = adapter.request(action, extra: adapter.extras[extra], names, number: number)
            if let text {
                guard lines[line].bucket.take(now: now) else { return }
                lines[line].lastNumber = number
                lines[line].extraRequests.append(number)
                if lines[line].extraRequests.count > Self.rememberedExtras { lines[line].extraRequests.removeFirst() }
                act(.send(lines[line].socket, .text(text)))
            }
            for symbol in chosen { lines[line].extras[symbol] = action == .subscribe ? extra + 1 : extra }
        }
    }

    /// The next channel that is wanted, or wanted no more, and the symbols of which it is.
    func nextExtra(_ line: Line) -> (FeedAction, Int, [Int])? {
        let count = adapter.extras.count
        guard count > 0, !line.requests.contains(where: { $0.action == .subscribe }) else { return nil }
        for extra in 0..<count {
            let ended = symbols(line) { !isAsked(line, $0) && line.extras[$0] == extra + 1 }
            if !ended.isEmpty { return (.unsubscribe, extra, ended) }
            let wanted = symbols(line) { line.stages[$0] == .live && isAsked(line, $0) && line.extras[$0] == extra }
            if !wanted.isEmpty { return (.subscribe, extra, wanted) }
        }
        return nil
    }

    /// A symbol whose subscription broke by itself keeps its other channels until it is back.
    private func isAsked(_ line: Line, _ symbol: Int) -> Bool {
        states[symbol].isWanted && states[symbol].refusal == nil
    }

    private func symbols(_ line: Line, _ isChosen: (Int) -> Bool) -> [Int] {
        var chosen: [Int] = []
        for symbol in states.indices where isChosen(symbol) {
            chosen.append(symbol)
            if chosen.count == adapter.limits.symbolsPerRequest { break }
        }
        return chosen
    }
}
