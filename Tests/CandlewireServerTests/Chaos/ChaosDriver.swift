import TestKit

/// Makes a network's life hard for a while: cuts, silences, garbage and refusals, by a seed.
struct ChaosDriver {
    let proxy: ChaosProxy
    let cuts: Int
    /// How long the whole should take.
    let seconds: Double
    /// Connections that the client has made so far.
    let connects: () async -> Int
    var generator: SeededGenerator
    private(set) var garbled = 0
    private(set) var outages = 0
    private(set) var silences = 0
    /// Silences after which the client came back by itself: only its heartbeat could detect them.
    private(set) var silencesNoticed = 0

    init(proxy: ChaosProxy, cuts: Int, seconds: Double, seed: UInt64, connects: @escaping () async -> Int) {
        self.proxy = proxy
        self.cuts = cuts
        self.seconds = seconds
        self.connects = connects
        generator = SeededGenerator(seed: seed)
    }

    /// - Parameter onProgress: called after each step with the cuts so far.
    mutating func run(onProgress: (Int) async -> Void) async throws {
        let start = ContinuousClock.now
        while proxy.counts.cut < cuts {
            let done = proxy.counts.cut
            await onProgress(done)
            let left = seconds - Double((ContinuousClock.now - start).components.seconds)
            let mean = max(0.02, left / Double(cuts - done))
            try await Task.sleep(for: .seconds(Double.random(in: 0.2..<1.8, using: &generator) * min(mean, 1)))
            // Longer than what the server keeps for coming back, now and then.
            if done / 200 > outages {
                outages += 1
                try await outage(seconds: 8)
            } else {
                try await step()
            }
        }
        proxy.settings = .calm
    }

    private mutating func step() async throws {
        proxy.settings = .calm
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<3:
            return await silence()
        case 3..<6:
            // Every byte the server sends becomes another one: TCP's checksum would not let a single one through, and a
            // price that was changed without a trace cannot be noticed by any client.
            garbled += 1
            proxy.settings = ChaosSettings(corrupt: 1, direction: .down)
            let before = proxy.counts.bytesCorrupted
            await wait { proxy.counts.bytesCorrupted > before }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200, using: &generator)))
            proxy.settings = .calm
        case 6..<8: try await outage(seconds: 0.3)
        case 8..<35:
            // Inside a handshake, a snapshot, a frame.
            proxy.settings = ChaosSettings(cutAfter: Int.random(in: 1..<60_000, using: &generator))
        case 35..<45: proxy.settings = ChaosSettings(drop: 0.05)
        case 45..<55: proxy.settings = ChaosSettings(delay: 0.01, jitter: 0.03)
        default: break
        }
        if proxy.settings == .calm || proxy.settings.delay > 0 { proxy.cutOne() }
    }

    /// No packet comes any more, and neither end learns of it. Where there was no connection at all, nothing is silenced.
    private mutating func silence() async {
        let silent = proxy.counts.halfOpened
        let before = await connects()
        proxy.halfOpenAll()
        await wait {
            if proxy.counts.halfOpened > silent { return true }
            return await connects() > before
        }
        guard proxy.counts.halfOpened > silent else { return }
        silences += 1
        await wait { await connects() > before }
        if await connects() > before { silencesNoticed += 1 }
    }

    /// Until the condition holds, but not for ever: what did not happen shows in the counts.
    private func wait(_ condition: () async -> Bool) async {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if await condition() { return }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func outage(seconds: Double) async throws {
        proxy.settings = ChaosSettings(refuse: 1)
        proxy.cutAll()
        try await Task.sleep(for: .seconds(seconds))
        proxy.settings = .calm
    }
}
