import CandlewireSockets
import Foundation

/// Connects again after 2, 4, 8, 16 and then 30 s, ten times at most.
@MainActor
final class ConnectionRecovery {
    private(set) var attempt = 0
    private(set) var hasGivenUp = false
    var onWait: (TimeInterval) -> Void = { _ in }

    private let maxAttempts = 10
    private let connect: () -> Void
    private let sleep: @Sendable (TimeInterval) async throws -> Void
    private var waiting: Task<Void, Never>?

    init(
        connect: @escaping () -> Void,
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.connect = connect
        self.sleep = sleep
    }

    func connected() {
        attempt = 0
        hasGivenUp = false
    }

    func disconnected(code: UInt16?) {
        guard code != CloseCode.normal.rawValue else { return }
        guard attempt < maxAttempts else {
            hasGivenUp = true
            return
        }
        attempt += 1
        let delay = min(pow(2, Double(attempt)), 30)
        onWait(delay)
        waiting = Task {
            guard (try? await sleep(delay)) != nil else { return }
            connect()
        }
    }

    func stop() { waiting?.cancel() }
}
