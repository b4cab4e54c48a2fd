#if DEBUG
    import Synchronization
#endif

/// The events of a transcript, which are only ever added to.
struct TranscriptEvents: RandomAccessCollection, Sendable, Hashable {
    private var events: [Transcript.Event] = []

    var startIndex: Int { 0 }
    var endIndex: Int { events.count }

    subscript(position: Int) -> Transcript.Event {
        #if DEBUG
            LookCounter.current?.looks.add(1, ordering: .relaxed)
        #endif
        return events[position]
    }

    mutating func append(_ event: Transcript.Event) { events.append(event) }
}

#if DEBUG
    /// Counts how often an event is looked at, for tests of what a long conversation costs.
    final class LookCounter: Sendable {
        @TaskLocal static var current: LookCounter?
        let looks = Atomic<Int>(0)
    }
#endif
