import HTTPTransport
import MarketServices
import Synchronization

/// Answers requests as a test says, and remembers them.
final class ScriptedHTTP: Sendable {
    enum Step: Sendable {
        case answer(HTTPTransportAnswer)
        case fail(HTTPTransportError)

        static func json(_ status: Int = 200, _ text: String, headers: [String: String] = [:]) -> Step {
            .answer(HTTPTransportAnswer(status: status, headers: headers, body: Array(text.utf8)))
        }
    }

    private struct State {
        var steps: [Step]
        var requests: [HTTPTransportRequest] = []
    }

    private let state: Mutex<State>

    /// - Parameter steps: one for each request; the last one is for all that follow.
    init(_ steps: [Step]) {
        state = Mutex(State(steps: steps))
    }

    var requests: [HTTPTransportRequest] { state.withLock { $0.requests } }

    var transport: HTTPTransport {
        HTTPTransport { (request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
            let step = self.state.withLock { state in
                state.requests.append(request)
                return state.steps.count > 1 ? state.steps.removeFirst() : state.steps[0]
            }
            switch step {
            case .answer(let answer): return answer
            case .fail(let error): throw error
            }
        }
    }
}
