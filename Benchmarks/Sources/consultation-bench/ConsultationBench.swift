import Foundation
import NIOCore
import NIOPosix
import StreamCore
import WebSocketTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The clients: they begin conversations, send a question in each, and measure the age of the words.
struct ConsultationBench {
    var conversations: Int
    var seconds: Double
    var port: Int
    var usage: ServerUsage

    private static let question =
        #"{"type":"user_message","content":"Speak.","message_id":"m","timestamp":"2025-01-27T10:00:00Z"}"#

    var words: Int { PacedModel.words(in: seconds) }

    func run() async throws -> ConsultationReport {
        var ids: [String] = []
        for user in 0..<conversations { ids.append(try await begin(user)) }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let received = NIOLoopBoundBox.makeBoxSendingValue(Received(), eventLoop: loop)
        let before = (cpu: usage.cpuSeconds, time: Monotonic.seconds)
        for id in ids {
            _ = try await WebSocketConnector.connect(
                url: "ws://127.0.0.1:\(port)/ws/consultation?consultation_id=\(id)", timeout: .seconds(30), on: group
            ) { socket, _ in
                socket.delegate = Listener(received.value)
                socket.send(text: Self.question)
            }.get()
        }
        let (memory, deadline) = (usage.memory, Monotonic.seconds + seconds + 30)
        var isOver = false
        while !isOver, Monotonic.seconds < deadline {
            try await Task.sleep(for: .milliseconds(200))
            let conversations = conversations
            isOver = try await loop.submit { received.value.ended + received.value.errors >= conversations }.get()
        }
        let totals = try await loop.submit { (received.value.latencies, received.value.errors) }.get()
        return ConsultationReport(
            conversations: conversations, words: words, seconds: seconds, latencies: totals.0.sorted(),
            errors: totals.1, memory: memory, peakMemory: usage.peakMemory,
            processors: (usage.cpuSeconds - before.cpu) / (Monotonic.seconds - before.time))
    }

    private func begin(_ user: Int) async throws -> String {
        guard let url = URL(string: "http://127.0.0.1:\(port)/consultations") else { throw BenchError.noServer }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        // One user each: what a user may have at once is limited.
        request.httpBody = Data(#"{"consultation_type":"bench","user_id":"user\#(user)"}"#.utf8)
        let (data, _) = try await URLSession.shared.data(for: request)
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        guard let id = json?["id"] as? String else {
            throw BenchError.refused(String(decoding: data, as: UTF8.self))
        }
        return id
    }
}

enum BenchError: Error {
    case noServer
    case refused(String)
}
