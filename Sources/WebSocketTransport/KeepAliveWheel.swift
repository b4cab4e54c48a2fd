import NIOCore
import Synchronization

/// The keep-alive deadlines of all connections of one event loop behind one timer.
///
/// A timer of its own costs a connection half a kilobyte and a place in the loop's heap, for a deadline that is met to
/// the second at best. Here it costs one pointer, and starting, stopping and firing are O(1).
///
/// Deadlines are whole seconds, met at most a second late and never early.
// Confined to its event loop; other threads only find it in the table.
final class KeepAliveWheel: @unchecked Sendable {
    /// Where a handler stands.
    struct Place {
        var slot: Int
        var index: Int
    }

    private static let slotCount = 64
    /// The longest time in seconds that there is a place for.
    static let maxSeconds = slotCount - 2

    private let eventLoop: any EventLoop
    private var slots: [[WebSocketHandler]] = Array(repeating: [], count: slotCount)
    private var now = 0
    private var count = 0
    private var isTicking = false
    /// Whether this moment is a tick.
    private var isAtTick = false

    private static let tick = TimeAmount.seconds(1)

    private init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    // MARK: One for each loop

    private struct Known {
        weak var wheel: KeepAliveWheel?
    }

    private static let table = Mutex<[ObjectIdentifier: Known]>([:])

    /// The loop's wheel. It lives as long as it is referenced.
    static func of(_ eventLoop: any EventLoop) -> KeepAliveWheel {
        table.withLock { table in
            let key = ObjectIdentifier(eventLoop)
            // A wheel holds its loop, so as long as it lives no other loop has this identity.
            if let known = table[key]?.wheel { return known }
            let made = KeepAliveWheel(eventLoop)
            table = table.filter { $0.value.wheel != nil }
            table[key] = Known(wheel: made)
            return made
        }
    }

    // MARK: Deadlines

    /// Calls `keepAliveFired` after `seconds`, at most `maxSeconds`. The handler keeps its place for `remove`.
    func insert(_ handler: WebSocketHandler, seconds: Int) {
        var due = now + seconds
        if !isTicking {
            isTicking = true
            scheduleTick()
        } else if !isAtTick {
            // The next tick is less than a second away and must not count.
            due += 1
        }
        let slot = due % Self.slotCount
        handler.wheelPlace = Place(slot: slot, index: slots[slot].count)
        slots[slot].append(handler)
        count += 1
    }

    func remove(_ handler: WebSocketHandler) {
        guard let place = handler.wheelPlace else { return }
        handler.wheelPlace = nil
        count -= 1
        // The last one of the slot moves into the gap.
        let last = slots[place.slot].removeLast()
        guard last !== handler else { return }
        slots[place.slot][place.index] = last
        last.wheelPlace = place
    }

    private func scheduleTick() { eventLoop.assumeIsolated().scheduleTask(in: Self.tick) { self.turn() } }

    private func turn() {
        now += 1
        let slot = now % Self.slotCount
        let due = slots[slot]
        slots[slot] = []
        count -= due.count
        // First of all: a handler that is called may stop another one that is due as well.
        for handler in due { handler.wheelPlace = nil }
        isAtTick = true
        for handler in due { handler.keepAliveFired() }
        isAtTick = false
        isTicking = count > 0
        if isTicking { scheduleTick() }
    }
}
