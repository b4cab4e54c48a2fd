package import NIOCore
package import StreamCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What every driver has, whatever its machine.
package final class SocketShell<Socket: Hashable & Sendable> {
    package let eventLoop: any EventLoop
    package let clock: SessionClock
    package var sockets: [Socket: DrivenSocket] = [:]
    package var timer: Scheduled<Void>?
    package var timerAt = Double.infinity
    package var task: Task<Void, Never>?
    /// An action may report something from inside (a socket that fails while it is written to): the loop that is
    /// running performs what results from it.
    package var isPerforming = false
    package var isShutDown = false

    /// Must be called on the event loop.
    package init(on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        clock = SessionClock(start: eventLoop.now)
    }

    @inlinable package var now: Double { clock.seconds(eventLoop.now) }
}

/// One socket of a machine, from the first packet to the last: reports what happens to it until it is released.
package final class DrivenSocket: WebSocketHandlerDelegate {
    package private(set) var handler: WebSocketHandler?
    /// A closure, so that the driver behind it runs specialised for its machine. Nil once the socket is released.
    private var report: ((SocketEvent) -> Void)?

    package init(report: @escaping (SocketEvent) -> Void) { self.report = report }

    /// The handshake is done.
    package func attach(_ handler: WebSocketHandler) {
        handler.delegate = self
        guard let report else {
            // Released while it was being opened: connecting cannot be cancelled before.
            handler.terminate()
            return
        }
        self.handler = handler
        report(.opened)
    }

    /// From here on nothing of it is reported.
    package func release() { report = nil }

    package func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        report?(.received(text, isText: true))
    }

    package func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        report?(.received(bytes, isText: false))
    }

    package func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) { report?(.pong) }

    package func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        handler = nil
        report?(.closed(code, reason: reason, detectedHere: socket.ending == .violation))
    }
}

/// Seconds of an event loop, counted from a driver's birth, so that they keep their nanoseconds as `Double` and a
/// test's event loop is the clock.
package struct SessionClock: Sendable {
    @usableFromInline let start: NIODeadline
    /// Seconds since 1970 UTC at the driver's birth.
    private let epoch: Double

    package init(start: NIODeadline) {
        self.start = start
        epoch = wallClock()
    }

    @inlinable package func seconds(_ time: NIODeadline) -> Double { Double((time - start).nanoseconds) / 1e9 }

    /// The driver's seconds as seconds since 1970 UTC.
    package func date(_ seconds: Double) -> Double { epoch + seconds }
}

/// Seconds since 1970 UTC by the system's clock.
package func wallClock() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// For what must not keep the driver alive.
@usableFromInline
final class WeakDriver<Driver: AnyObject> {
    @usableFromInline weak var driver: Driver?

    @usableFromInline init(_ driver: Driver) { self.driver = driver }
}

/// The way from any thread to what lives on an event loop.
package struct DriverLink<Driver>: Sendable {
    package let eventLoop: any EventLoop
    private let box: NIOLoopBoundBox<Driver?>

    /// - Parameter make: called on the event loop, before anything that is run.
    package init(eventLoop: any EventLoop, make: @escaping @Sendable () -> Driver) {
        self.eventLoop = eventLoop
        let box = NIOLoopBoundBox.makeEmptyBox(valueType: Driver.self, eventLoop: eventLoop)
        self.box = box
        eventLoop.execute { box.value = make() }
    }

    /// In order, and never at once.
    package func run(_ body: @escaping @Sendable (Driver) -> Void) {
        eventLoop.execute { [box] in
            if let driver = box.value { body(driver) }
        }
    }

    /// - Throws: where the event loop is no more.
    package func get<Answer: Sendable>(_ body: @escaping @Sendable (Driver) -> Answer) async throws -> Answer? {
        try await eventLoop.submit { [box] in box.value.map(body) }.get()
    }
}
