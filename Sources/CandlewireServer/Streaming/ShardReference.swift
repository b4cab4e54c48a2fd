import NIOCore
import StreamCore
import Synchronization

/// A shard seen from another thread.
///
/// Messages of streams, and what must happen between them, gather in a mailbox until the loop collects them; everything else
/// hops to the loop in the order of the calls. The loop works in slices: it does not get to its sockets while it has
/// something else to do, and new connections and requests must be answered however much there is to deliver.
struct ShardReference: Sendable {
    /// Messages of one stream, in an epoch that the publisher numbered.
    typealias Batch = (epoch: Int, messages: [StreamMessage])

    let loop: any EventLoop
    private let shard: NIOLoopBoundBox<StreamShard>
    private let gathering = Gathering()

    /// Held for one batch or one collection.
    private final class Gathering: Sendable {
        struct State {
            // What is kept of much must not keep the rest in memory.
            var mailbox = Mailbox<ByteBuffer, StreamShard.Event> { $0.detached }
            /// Whether the loop will collect what is there.
            var isCollecting = false
        }

        private let state = Mutex(State())

        /// - Returns: whether the loop has to be woken.
        func post(_ body: (inout Mailbox<ByteBuffer, StreamShard.Event>) -> Void) -> Bool {
            state.withLock { state in
                body(&state.mailbox)
                defer { state.isCollecting = true }
                return !state.isCollecting
            }
        }

        /// - Parameter goesOn: the loop comes again even where there is nothing.
        /// - Returns: `nil` where there is nothing.
        func collect(goesOn: Bool) -> Mailbox<ByteBuffer, StreamShard.Event>.Collection? {
            state.withLock { state in
                let isEmpty = state.mailbox.isEmpty
                state.isCollecting = !isEmpty || goesOn
                return isEmpty ? nil : state.mailbox.collect()
            }
        }
    }

    /// Seconds that the loop delivers before it looks after its sockets.
    private static let slice = 0.002
    /// A task that is due at once would run before the sockets.
    private static let pause = TimeAmount.microseconds(50)

    /// - Parameter minSaving: deliveries that conflation must save; by default about a millisecond of work.
    init(index: Int, loop: any EventLoop, minSaving: Int = 5000) {
        self.loop = loop
        shard = NIOLoopBoundBox.makeBoxSendingValue(
            StreamShard(index: index, minSaving: minSaving), eventLoop: loop)
    }

    /// The shard itself, for callers on its loop.
    var onLoop: StreamShard { shard.value }

    // MARK: Streams

    /// - Parameters:
    ///   - madeFrom: when the first message was made, in seconds of the loop's clock.
    ///   - trace: `nil`: the batches are not traced.
    func deliver(_ batches: [Batch], madeFrom: Double, trace: BatchTracing.Delivery? = nil) {
        wake(
            gathering.post { mailbox in
                for batch in batches { mailbox.post(batch.messages, epoch: batch.epoch, madeAt: madeFrom) }
                guard let trace else { return }
                let (streams, messages) = (batches.count, batches.reduce(0) { $0 + $1.messages.count })
                mailbox.post { $0.trace(trace, streams: streams, messages: messages) }
            })
    }

    /// Does something on the loop, after the messages posted before and before those posted after.
    func post(_ event: @escaping StreamShard.Event) { wake(gathering.post { $0.post(event) }) }

    private func wake(_ isNeeded: Bool) { if isNeeded { loop.execute { work() } } }

    private func work() {
        let shard = shard.value
        let end = now + Self.slice
        repeat {
            if shard.hasDoneCollected {
                if let collection = gathering.collect(goesOn: !shard.isIdle) {
                    shard.accept(collection)
                } else if shard.isIdle {
                    return
                }
            }
            shard.deliver(until: end) { now }
        } while now < end
        loop.scheduleTask(in: Self.pause) { work() }
    }

    private var now: Double { Double(loop.now.uptimeNanoseconds) / 1e9 }

    // MARK: Everything else

    func run(_ body: @escaping @Sendable (StreamShard) -> Void) {
        loop.execute { [shard] in body(shard.value) }
    }

    func counts() -> EventLoopFuture<ReaderCounts> { loop.submit { [shard] in shard.value.counts } }

    func startHousekeeping() {
        loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [shard] _ in
            shard.value.housekeeping()
        }
    }
}
