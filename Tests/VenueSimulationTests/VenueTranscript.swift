import StreamCore

@testable import VenueSimulation

/// Drives a `VenueMachine` by hand and records what it does, one line for each action.
struct VenueTranscript {
    var venue: VenueMachine
    private(set) var now: Double
    private(set) var lines: [String] = []
    private(set) var events: [VenueEvent] = []
    private(set) var log = VenueLog()

    init(_ venue: SimulatedVenue, _ session: RecordedSession, _ settings: VenueSettings = .init(), now: Double = 1_000)
    {
        self.venue = VenueMachine(venue, session: session, settings: settings)
        self.now = now
    }

    /// - Returns: the connection's number, or `nil` where it was refused.
    @discardableResult
    mutating func connect(_ target: String? = nil) -> Int? {
        let isIntrinio = venue.venue == .intrinio || venue.venue == .intrinioEquities
        let target = target ?? (isIntrinio ? IntrinioDesk.target : venue.venue.path)
        guard case .accept(let number) = venue.handshake(target: target, now: now) else {
            collect()
            return nil
        }
        venue.opened(number, target: target, now: now)
        collect()
        return number
    }

    mutating func say(_ text: String, on number: Int = 0) {
        venue.received(text, on: number, now: now)
        collect()
    }

    mutating func pong(_ payload: [UInt8], on number: Int = 0) {
        venue.ponged(payload, on: number, now: now)
        collect()
    }

    mutating func writable(_ isWritable: Bool, on number: Int = 0) { venue.writable(isWritable, on: number) }

    mutating func leave(_ number: Int = 0) {
        venue.closed(number)
        collect()
    }

    mutating func say(_ bytes: [UInt8], on number: Int = 0) {
        venue.received(bytes, on: number, now: now)
        collect()
    }

    mutating func request(_ target: String, headers: [String: String] = [:]) -> VenueResponse {
        defer { collect() }
        return venue.answer(VenueRequest(target: target, headers: headers), now: now)
    }

    /// Lets so many seconds pass, and advances the machine at each wake-up time it sets.
    mutating func pass(_ seconds: Double) {
        let end = now + seconds
        while let next = venue.nextWakeUp, next <= end {
            now = max(now, next)
            venue.advance(now: now)
            collect()
        }
        now = end
        venue.advance(now: now)
        collect()
    }

    /// Plays what is due at this moment.
    mutating func runUntilIdle() {
        var rounds = 0
        while let next = venue.nextWakeUp, next <= now, rounds < 100_000 {
            venue.advance(now: now)
            collect()
            rounds += 1
        }
    }

    /// What the venue sent since the last call.
    mutating func drain() -> [String] {
        defer { lines = [] }
        return lines
    }

    private mutating func collect() {
        while let action = venue.nextAction() {
            switch action {
            case .send(let connection, let bytes):
                lines.append((connection == 0 ? "" : "\(connection): ") + String(decoding: bytes, as: UTF8.self))
            case .ping(_, let payload): lines.append("ping \(String(decoding: payload, as: UTF8.self))")
            case .close(_, let code, let reason): lines.append("close \(code.rawValue) \(reason)")
            case .cut: lines.append("cut")
            case .note(let event):
                events.append(event)
                log.record(event)
            }
        }
    }
}
