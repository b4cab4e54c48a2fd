package import NIOCore

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
