import Foundation
import NIOCore

/// One direction of a connection through the proxy: a machine that accepts chunks and gives back what is due. No IO, no
/// clock.
///
/// ```
/// accept(chunk) -> [corrupt] -> held until due (delay, jitter) -> release(now) within the throttle's budget
///      \-> an ending: how many more bytes get through, and what happens then
/// ```
struct ChaosLane {
    /// What ends the lane once everything before it went through.
    enum Ending: Equatable { case cut, halfOpen }

    private struct Piece {
        var due: Double
        var bytes: ByteBuffer
    }

    /// Bytes that wait to be due.
    private(set) var held = 0
    /// Bytes accepted for forwarding so far.
    private(set) var accepted = 0
    /// Bytes that came after its end was decided.
    private(set) var discarded = 0
    private(set) var corrupted = 0
    /// How it ends, once that is decided. Nothing is accepted any more.
    private(set) var ending: Ending?
    private var pieces = CircularBuffer<Piece>()
    private var budget = 0.0
    private var budgetTime: Double?

    var isEmpty: Bool { pieces.isEmpty }

    /// Accepts a chunk that arrived.
    /// - Parameters:
    ///   - settings: as they hold for this direction, see `ChaosSettings.lane(isUp:)`.
    ///   - now: seconds, by the clock that `release` uses too.
    mutating func accept(
        _ chunk: ByteBuffer, _ settings: ChaosSettings, now: Double, using generator: inout SeededGenerator
    ) {
        guard ending == nil else {
            discarded += chunk.readableBytes
            return
        }
        var chunk = chunk
        var room = chunk.readableBytes
        if settings.drop > 0, Double.random(in: 0..<1, using: &generator) < settings.drop {
            room = Int.random(in: 0...room, using: &generator)
            ending = .cut
        }
        for (limit, end) in [(settings.halfOpenAfter, Ending.halfOpen), (settings.cutAfter, .cut)] {
            guard let limit, accepted + room >= limit else { continue }
            room = max(0, limit - accepted)
            ending = end
        }
        discarded += chunk.readableBytes - room
        guard room > 0, var bytes = chunk.readSlice(length: room) else { return }
        corrupt(&bytes, chance: settings.corrupt, using: &generator)
        var due = now + settings.delay
        if settings.jitter > 0 { due += Double.random(in: 0..<settings.jitter, using: &generator) }
        // TCP keeps the order: who comes later cannot be due earlier.
        if let last = pieces.last { due = max(due, last.due) }
        pieces.append(Piece(due: due, bytes: bytes))
        held += room
        accepted += room
    }

    /// Ends it from outside; what is held still goes through before it.
    mutating func end(_ ending: Ending) { if self.ending == nil { self.ending = ending } }

    /// Forgets what is held: the connection is gone.
    mutating func abandon() {
        discarded += held
        held = 0
        pieces.removeAll()
    }

    /// The bytes that may go on now.
    mutating func release(now: Double, throttle: Int?) -> [ByteBuffer] {
        var allowed = allowance(now: now, throttle: throttle)
        var released: [ByteBuffer] = []
        while let head = pieces.first, head.due <= now, allowed > 0 {
            let count = min(head.bytes.readableBytes, allowed)
            if let slice = pieces[pieces.startIndex].bytes.readSlice(length: count) { released.append(slice) }
            if pieces[pieces.startIndex].bytes.readableBytes == 0 { pieces.removeFirst() }
            held -= count
            allowed -= count
            if throttle != nil { budget -= Double(count) }
        }
        return released
    }

    /// When `release` may have something; `nil` while nothing is held.
    func nextRelease(now: Double, throttle: Int?) -> Double? {
        guard let head = pieces.first else { return nil }
        guard let throttle, budget < 1 else { return head.due }
        // A twentieth of a second's worth at once: a smooth trickle without a timer for each byte.
        let burst = max(1, Double(throttle) / 20)
        return max(head.due, now + (burst - budget) / Double(throttle))
    }

    private mutating func allowance(now: Double, throttle: Int?) -> Int {
        guard let throttle else {
            budgetTime = nil
            return .max
        }
        let burst = max(1, Double(throttle) / 20)
        if let budgetTime {
            budget = min(burst, budget + max(0, now - budgetTime) * Double(throttle))
        } else {
            budget = burst
        }
        budgetTime = now
        return Int(budget)
    }

    /// Turns bytes into others. The distance to the next one is drawn (it is geometric), not for each byte.
    private mutating func corrupt(_ bytes: inout ByteBuffer, chance: Double, using generator: inout SeededGenerator) {
        guard chance > 0 else { return }
        var at = bytes.readerIndex
        while true {
            if chance < 1 {
                let draw = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &generator)
                let distance = (log(draw) / log1p(-chance)).rounded(.down)
                guard distance < Double(bytes.writerIndex - at) else { return }
                at += Int(distance)
            }
            guard at < bytes.writerIndex, let byte = bytes.getInteger(at: at, as: UInt8.self) else { return }
            bytes.setInteger(byte ^ UInt8.random(in: 1...255, using: &generator), at: at)
            corrupted += 1
            at += 1
        }
    }
}

extension ChaosSettings {
    /// What holds for one direction.
    func lane(isUp: Bool) -> ChaosSettings {
        switch direction {
        case .both: self
        case .up: isUp ? self : .calm
        case .down: isUp ? .calm : self
        }
    }
}
