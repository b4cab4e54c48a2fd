import Synchronization

/// What goes wrong around the server, but for its own ends.
extension ServerSimulation {
    func breakNetwork() {
        let links = links
        guard !links.isEmpty else { return advance(by: 1) }
        let link = pick(links)
        switch number(below: 5) {
        case 0:
            counts.cuts += 1
            link.cut(isNoticed: true)
        case 1:
            counts.halfOpen += 1
            link.cut(isNoticed: false)
        case 2, 3:
            counts.slowLines += 1
            link.pace = pick([30, 300, 5000, .infinity])
        default: link.latency = pick([0.005, 0.2, 1.5])
        }
        note("network")
        advance(by: 0.2)
    }

    func breakDisk() {
        let kind = number(below: 5)
        note("disk \(kind)")
        switch kind {
        case 0: disk.setFull(true)
        case 1: disk.failSyncs(1 + number(below: 3))
        case 2: disk.cutPower(afterWrites: number(below: 40))
        case 3:
            counts.slowDisks += 1
            environment.commitDelay.withLock { $0 = 0.2 + draw() * 4 }
        default: healDisk()
        }
        for _ in 0...number(below: 8) { if chance(0.3) { order() } else { trade() } }
        if chance(0.5) { disk.setFull(false) }
    }

    func healDisk() {
        disk.setFull(false)
        disk.failSyncs(0)
        environment.commitDelay.withLock { $0 = 0.002 }
    }

    func moveClock() {
        let error = pick([0, 0, 400 * Self.day, -400 * Self.day, 3, -3600])
        note("clock \(error)")
        if error != 0 { counts.clockJumps += 1 }
        environment.clockError.withLock { $0 = error }
        advance(by: 1.5)
        // By a clock that is behind at the start, stored candles are those of the future.
        if chance(error < 0 ? 0.5 : 0.2) { restart(pick([.stop, .kill])) }
        // Most often somebody notices soon.
        if chance(0.7) {
            advance(by: 5)
            environment.clockError.withLock { $0 = 0 }
        }
    }

    func toggleFeed() {
        isFeedUp.toggle()
        counts.outages += isFeedUp ? 0 : 1
        server?.setFeed(isUp: isFeedUp)
    }

    func endFaults() {
        healDisk()
        disk.cutPower(afterWrites: .max)
        environment.clockError.withLock { $0 = 0 }
        if !isFeedUp { toggleFeed() }
        for link in links {
            (link.pace, link.latency) = (.infinity, 0.02)
            if link.isHalfOpen { link.end() }
        }
    }
}
