import NIOCore

/// The way from any thread to a session's driver.
struct DriverLink: Sendable {
    let eventLoop: any EventLoop
    private let box: NIOLoopBoundBox<SessionDriver?>

    /// - Parameter make: called on the event loop, before anything that is run.
    init(eventLoop: any EventLoop, make: @escaping @Sendable () -> SessionDriver) {
        self.eventLoop = eventLoop
        let box = NIOLoopBoundBox.makeEmptyBox(valueType: SessionDriver.self, eventLoop: eventLoop)
        self.box = box
        eventLoop.execute { box.value = make() }
    }

    /// In order, and never at once.
    func run(_ body: @escaping @Sendable (SessionDriver) -> Void) {
        eventLoop.execute { [box] in
            if let driver = box.value { body(driver) }
        }
    }

    func ask<Answer: Sendable>(_ body: @escaping @Sendable (SessionDriver) -> Answer) async -> Answer? {
        try? await eventLoop.submit { [box] in box.value.map(body) }.get()
    }
}
