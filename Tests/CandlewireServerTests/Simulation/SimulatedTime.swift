import Dispatch
import Foundation
import MarketModel
import NIOCore
import Synchronization

@testable import CandlewireServer

/// The clock of a simulation, and the event loops that run by it, all on one thread: tasks run in the order of their times.
final class SimulatedTime: @unchecked Sendable {
    private(set) var now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private var loops: [SimulatedLoop] = []
    fileprivate var lastNumber = 0

    var seconds: Double { Double(now.uptimeNanoseconds) / 1e9 }

    func makeLoop() -> SimulatedLoop {
        loops.removeAll(where: \.isEnded)
        let loop = SimulatedLoop(self)
        loops.append(loop)
        return loop
    }

    /// Time passes, and each task runs at its time.
    /// - Parameter isOver: looked at after each task.
    func advance(by seconds: Double, until isOver: () -> Bool = { false }) {
        let end = now + .seconds(of: seconds)
        while let loop = next(), loop.nextDeadline <= end {
            if loop.nextDeadline > now { now = loop.nextDeadline }
            loop.runFirst()
            if isOver() { return }
        }
        now = end
    }

    /// The machine sleeps: what was due meanwhile runs late, and what repeats runs once.
    func stall(for seconds: Double, until isOver: () -> Bool = { false }) {
        now = now + .seconds(of: seconds)
        advance(by: 0, until: isOver)
    }

    private func next() -> SimulatedLoop? {
        var first: SimulatedLoop?
        for loop in loops where loop.isBefore(first) { first = loop }
        return first
    }

    /// Runs an asynchronous function to its end; no time passes.
    /// - Parameter needsLoops: whether the loops run meanwhile what is due. Else nothing happens beside it.
    func wait<R: Sendable>(
        needsLoops: Bool = false, _ body: @escaping @Sendable () async throws -> R
    ) throws -> R {
        let (outcome, done) = (Outcome<R>(), DispatchSemaphore(value: 0))
        Task.detached {
            let result = await Result.of { try await body() }
            outcome.result.withLock { $0 = result }
            done.signal()
        }
        if needsLoops {
            while done.wait(timeout: .now() + .microseconds(50)) == .timedOut { advance(by: 0) }
        } else {
            done.wait()
        }
        return try outcome.result.withLock { $0! }.get()
    }

    private final class Outcome<R: Sendable>: Sendable { let result = Mutex<Result<R, any Error>?>(nil) }
}

/// An event loop whose time is a simulation's. Other threads may hand it tasks.
final class SimulatedLoop: EventLoop, @unchecked Sendable {
    private struct Entry {
        var deadline: NIODeadline
        var number: Int
        var task: () -> Void
        /// Fulfils its promise where it does not run.
        var cancel: () -> Void
    }

    private let time: SimulatedTime
    private let thread = pthread_self()
    private let inbox = Mutex<[@Sendable () -> Void]>([])
    /// The next one last.
    private var entries: [Entry] = []
    private(set) var isEnded = false

    init(_ time: SimulatedTime) { self.time = time }

    /// Nothing that it was to do happens any more.
    func end() {
        isEnded = true
        // Letting go of one may cancel another.
        let left = entries
        entries = []
        for entry in left { entry.cancel() }
    }

    var now: NIODeadline { time.now }
    var inEventLoop: Bool { pthread_equal(thread, pthread_self()) != 0 }

    // MARK: Tasks

    var nextDeadline: NIODeadline { entries.last?.deadline ?? .distantFuture }

    func isBefore(_ other: SimulatedLoop?) -> Bool {
        let handed = inbox.withLock { inbox in
            defer { inbox = [] }
            return inbox
        }
        for task in handed { add(time.now, task) }
        guard let mine = entries.last else { return false }
        guard let theirs = other?.entries.last else { return true }
        return (mine.deadline, mine.number) < (theirs.deadline, theirs.number)
    }

    /// Runs what is due and was handed over before.
    func runDue() { while isBefore(nil), nextDeadline <= now { runFirst() } }

    func runFirst() { entries.popLast()?.task() }

    @discardableResult private func add(
        _ deadline: NIODeadline, _ task: @escaping () -> Void, cancel: @escaping () -> Void = {}
    ) -> Int {
        time.lastNumber += 1
        guard !isEnded else {
            cancel()
            return time.lastNumber
        }
        let index = entries.partitioningIndex { ($0.deadline, $0.number) <= (deadline, time.lastNumber) }
        entries.insert(Entry(deadline: deadline, number: time.lastNumber, task: task, cancel: cancel), at: index)
        return time.lastNumber
    }

    private func remove(_ number: Int) { entries.removeAll { $0.number == number } }

    /// On its thread.
    func run(in seconds: Double, _ task: @escaping () -> Void) { run(at: now + .seconds(of: seconds), task) }
    func run(at time: NIODeadline, _ task: @escaping () -> Void) { add(time, task) }

    func execute(_ task: @escaping @Sendable () -> Void) {
        if inEventLoop { add(now, task) } else { inbox.withLock { $0.append(task) } }
    }

    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        let number = add(deadline) {
            do { promise.assumeIsolated().succeed(try task()) } catch { promise.fail(error) }
        } cancel: {
            promise.fail(EventLoopError.cancelled)
        }
        return Scheduled(promise: promise) { self.remove(number) }
    }

    func scheduleTask<T>(in time: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + time, task)
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        queue.async { callback(nil) }
    }
}

extension TimeAmount {
    static func seconds(of seconds: Double) -> TimeAmount { .nanoseconds(Int64(max(0, seconds) * 1e9)) }
}
