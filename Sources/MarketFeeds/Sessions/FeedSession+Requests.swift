import StreamCore

/// Which requests went out on which socket, and what became of them.
extension FeedSession {
    // MARK: Sending requests

    /// Sends what may be sent by now.
    mutating func pump(_ line: Int, _ now: Double) {
        while let (action, chosen) = nextRequest(lines[line], now) {
            let names = chosen.map { states[$0].name }
            guard let frame = adapter.frame(action, names, number: lines[line].lastNumber + 1) else {
                // The venue has no request to stop: what still comes is dropped.
                for symbol in chosen {
                    lines[line].stages[symbol] = .none
                    review(symbol)
                }
                continue
            }
            guard lines[line].bucket.consume(now: now) else { return }
            lines[line].lastNumber += 1
            act(.send(lines[line].socket, frame))
            for symbol in chosen { lines[line].stages[symbol] = action == .subscribe ? .requested : .none }
            if adapter.capabilities.assumesGranted {
                for symbol in chosen {
                    if action == .subscribe { becomeLive(symbol, on: line) } else { review(symbol) }
                }
                continue
            }
            lines[line].requests.append(
                Line.Request(
                    number: lines[line].lastNumber, action: action, symbols: chosen,
                    due: now + adapter.limits.answerTime))
            if action == .unsubscribe { for symbol in chosen { review(symbol) } }
        }
        pumpExtras(line, now)
        pumpBooks(line, now)
    }

    private func nextRequest(_ line: Line, _ now: Double) -> (FeedAction, [Int])? {
        var unwanted: [Int] = []
        var wanted: [Int] = []
        for index in states.indices {
            let state = states[index]
            if state.isWanted, state.refusal == nil {
                guard line.stages[index] == .none, state.notBefore <= now else { continue }
                guard !state.isAlone else {
                    if wanted.isEmpty { return (.subscribe, [index]) }
                    continue
                }
                wanted.append(index)
                if wanted.count == adapter.limits.symbolsPerRequest { break }
            } else if line.stages[index] != .none, unwanted.count < adapter.limits.symbolsPerRequest {
                unwanted.append(index)
            }
        }
        if !unwanted.isEmpty { return (.unsubscribe, unwanted) }
        return wanted.isEmpty ? nil : (.subscribe, wanted)
    }

    /// When there is something to do for a line: a request that may go out, one that must be answered.
    func workDue(_ line: Line) -> Double {
        var due = line.requests.reduce(Double.infinity) { min($0, $1.due) }
        if nextExtra(line) != nil { due = min(due, line.bucket.nextAvailable) }
        for index in states.indices {
            let state = states[index]
            let isWaiting = state.isWanted && state.refusal == nil
            guard isWaiting ? line.stages[index] == .none : line.stages[index] != .none else { continue }
            due = min(due, max(line.bucket.nextAvailable, isWaiting ? state.notBefore : -.infinity))
        }
        return due
    }

    // MARK: Answers

    mutating func apply(_ answer: FeedAnswer, on socket: SocketNumber, now: Double) {
        guard let line = lines.firstIndex(where: { $0.socket == socket }) else {
            // Before the connection is ready only the venue's own state is known.
            if case .unavailable(let reason) = answer { setOutage(reason) }
            return
        }
        switch answer {
        case .granted(let number): grant(line, lines[line].requests.firstIndex { $0.number == number })
        case .grantedOldest: grant(line, lines[line].requests.isEmpty ? nil : 0)
        case .subscribed(let names):
            for name in names { if let symbol = index(of: name) { becomeLive(symbol, on: line) } }
        case .ended(let names), .dropped(let names):
            for name in names {
                guard let symbol = index(of: name), lines[line].stages[symbol] == .live else { continue }
                lines[line].stages[symbol] = .none
                if case .dropped = answer {
                    books?.suspend(symbol, now: now)
                    lines[line].extras[symbol] = 0
                    states[symbol].notBefore = now + Self.rejoinPause
                }
                review(symbol)
            }
        case .refused(let number, let names, let reason): refuse(line, number, names, reason, now)
        case .goingAway(let reason):
            report(.problem(.server(code: "going_away", message: reason)))
            machine.rotateNow(now: now)
        case .unavailable(let reason): setOutage(reason)
        }
    }

    private mutating func grant(_ line: Int, _ request: Int?) {
        guard let request else { return }
        let granted = lines[line].requests.remove(at: request)
        guard granted.action == .subscribe else { return }
        for symbol in granted.symbols { becomeLive(symbol, on: line) }
    }

    private mutating func becomeLive(_ symbol: Int, on line: Int) {
        finishRequests(line, symbol)
        // An unsubscription may be on its way already.
        guard states[symbol].isWanted, lines[line].stages[symbol] != .live else { return }
        lines[line].stages[symbol] = .live
        states[symbol].silences = 0
        states[symbol].isAlone = false
        review(symbol)
    }

    /// A symbol was answered: its request waits for the others only.
    private mutating func finishRequests(_ line: Int, _ symbol: Int) {
        for index in lines[line].requests.indices.reversed() where lines[line].requests[index].action == .subscribe {
            lines[line].requests[index].symbols.removeAll { $0 == symbol }
            if lines[line].requests[index].symbols.isEmpty { lines[line].requests.remove(at: index) }
        }
    }

    private mutating func refuse(_ line: Int, _ number: Int?, _ names: [String], _ reason: String, _ now: Double) {
        if let number, lines[line].extraRequests.contains(number) {
            return report(.problem(.server(code: "refused", message: reason)))
        }
        let named = names.compactMap(index(of:))
        if !named.isEmpty {
            for symbol in named { refuse(symbol, line, reason, now) }
            return
        }
        // With an unknown number the refusal is about something that is over.
        let request = lines[line].requests.firstIndex { number == nil || $0.number == number }
        guard let request else { return report(.problem(.server(code: "refused", message: reason))) }
        let refused = lines[line].requests.remove(at: request)
        guard refused.action == .subscribe else { return }
        guard refused.symbols.count > 1 else {
            if let symbol = refused.symbols.first { refuse(symbol, line, reason, now) }
            return
        }
        if RefusalReason.isPassing(reason) {
            for symbol in refused.symbols { postpone(symbol, line, reason, now) }
            return
        }
        // One of them is the reason, and the others must not suffer for it.
        for symbol in refused.symbols {
            lines[line].stages[symbol] = .none
            states[symbol].isAlone = true
        }
    }

    private mutating func refuse(_ symbol: Int, _ line: Int, _ reason: String, _ now: Double) {
        guard !RefusalReason.isPassing(reason) else { return postpone(symbol, line, reason, now) }
        finishRequests(line, symbol)
        lines[line].stages[symbol] = .none
        guard states[symbol].refusal == nil else { return }
        states[symbol].refusal = reason
        review(symbol)
        report(.refused(symbol: states[symbol].name, reason: reason))
    }

    /// The venue refuses for now: it is requested again in a while.
    private mutating func postpone(_ symbol: Int, _ line: Int, _ reason: String, _ now: Double) {
        finishRequests(line, symbol)
        guard lines[line].stages[symbol] != .live else { return }
        lines[line].stages[symbol] = .none
        states[symbol].silences += 1
        states[symbol].notBefore = now + Self.refusalPauses.wait(before: states[symbol].silences)
        report(.problem(.server(code: "refused", message: reason)))
        if states[symbol].silences == Self.silenceLimit { report(.unanswered(symbol: states[symbol].name)) }
    }

    /// A venue that acknowledges nothing answers with data: of the market that they name, or else of all.
    mutating func dataArrived(_ message: Bytes, on socket: SocketNumber) {
        guard let line = lines.firstIndex(where: { $0.socket == socket }), !lines[line].requests.isEmpty else { return }
        if let name = venueSession.subject(in: message) {
            if let symbol = index(of: name) { becomeLive(symbol, on: line) }
            return
        }
        while !lines[line].requests.isEmpty { grant(line, 0) }
    }

    mutating func expire(_ now: Double) {
        for line in lines.indices {
            while let index = lines[line].requests.firstIndex(where: { $0.due <= now }) {
                let silent = lines[line].requests.remove(at: index)
                guard silent.action == .subscribe else { continue }
                for symbol in silent.symbols where lines[line].stages[symbol] == .requested {
                    lines[line].stages[symbol] = .none
                    states[symbol].isAlone = true
                    states[symbol].silences += 1
                    guard states[symbol].silences >= Self.silenceLimit else { continue }
                    states[symbol].notBefore = now + Self.silencePause
                    if states[symbol].silences == Self.silenceLimit { report(.unanswered(symbol: states[symbol].name)) }
                }
            }
        }
    }

    // MARK: Both sockets

    private func index(of name: String) -> Int? {
        venueSession.symbols.find(name).flatMap { $0 < states.count ? $0 : nil }
    }

    /// Whether a symbol comes on any socket: reports each change once.
    mutating func review(_ symbol: Int) {
        let isLive = states[symbol].isWanted && lines.contains { $0.stages[symbol] == .live }
        guard isLive != states[symbol].isLive else { return }
        states[symbol].isLive = isLive
        if !isLive { venueSession.symbolEnded(states[symbol].name) }
        report(isLive ? .live(symbol: states[symbol].name) : .interrupted(symbol: states[symbol].name))
    }

    /// While the connection is replaced: whether the new socket has taken over by now.
    mutating func handOver(_ now: Double) -> Bool {
        guard let next = machine.rotatingTo, let line = lines.first(where: { $0.socket == next }) else { return false }
        let isComplete = states.indices.allSatisfy {
            !states[$0].isWanted || states[$0].refusal != nil || line.stages[$0] == .live
        }
        guard isComplete else { return false }
        machine.rotated(now: now)
        return true
    }

    // MARK: Besides the trades

    /// Numbers of requests that are remembered, so that a refusal does not count as one of the trades.
    private static let rememberedExtras = 1000

    /// Only while no trades wait to be granted: a venue that names no request in its answers means the oldest one.
    mutating func pumpExtras(_ line: Int, _ now: Double) {
        while let (action, extra, chosen) = nextExtra(lines[line]) {
            let number = lines[line].lastNumber + 1
            let names = chosen.map { states[$0].name }
            let text = adapter.request(action, extra: adapter.extras[extra], names, number: number)
            if let text {
                guard lines[line].bucket.consume(now: now) else { return }
                lines[line].lastNumber = number
                rememberExtra(number, line)
                act(.send(lines[line].socket, .text(text)))
            }
            for symbol in chosen { lines[line].extras[symbol] = action == .subscribe ? extra + 1 : extra }
        }
    }

    /// A refusal of this request costs no trades.
    mutating func rememberExtra(_ number: Int, _ line: Int) {
        lines[line].extraRequests.append(number)
        if lines[line].extraRequests.count > Self.rememberedExtras { lines[line].extraRequests.removeFirst() }
    }

    /// The next channel that is wanted, or wanted no more, and the symbols of which it is.
    func nextExtra(_ line: Line) -> (FeedAction, Int, [Int])? {
        let count = adapter.extras.count
        guard count > 0, !line.requests.contains(where: { $0.action == .subscribe }) else { return nil }
        for extra in 0..<count {
            let ended = symbols(line) { !isRequested(line, $0) && line.extras[$0] == extra + 1 }
            if !ended.isEmpty { return (.unsubscribe, extra, ended) }
            let wanted = symbols(line) { line.stages[$0] == .live && isRequested(line, $0) && line.extras[$0] == extra }
            if !wanted.isEmpty { return (.subscribe, extra, wanted) }
        }
        return nil
    }

    /// A symbol whose subscription broke by itself keeps its other channels until it is back.
    private func isRequested(_ line: Line, _ symbol: Int) -> Bool {
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
