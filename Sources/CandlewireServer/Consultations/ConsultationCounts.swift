import Consultation
import Synchronization

/// What consultations do, counted on all event loops.
final class ConsultationCounts: Sendable {
    private let connections = Atomic<Int>(0)
    private let numbers = Atomic<Int>(0)

    func opened() { connections.add(1, ordering: .relaxed) }
    func closed() { connections.subtract(1, ordering: .relaxed) }

    /// Connections that are open now.
    var open: Int { connections.load(ordering: .relaxed) }

    /// A number that no other connection has.
    func nextNumber() -> ClientNumber {
        ClientNumber(rawValue: numbers.add(1, ordering: .relaxed).newValue)
    }
}
