import Consultation
import Foundation
import NIOHTTP1
import StreamCore
import Testing
import WebSocketTransport

@testable import CandlewireServer

/// A server that requires a login.
struct LoginWorld: Sendable {
    let server: RunningServer
    let ada = ["X-API-Key": ConsultationAccessTests.adaKey]
    let bob = ["X-API-Key": ConsultationAccessTests.bobKey]

    func post(_ path: String, _ body: String, _ headers: [String: String]) async throws -> (
        status: Int, body: JSONValue
    ) {
        let answer = try await server.post(path, Data(body.utf8), headers: headers)
        return (answer.status, (try? JSONValue(parsing: String(decoding: answer.body, as: UTF8.self))) ?? .null)
    }

    func status(_ method: String, _ path: String, _ headers: [String: String]) async throws -> Int {
        try await server.send(method, path, headers: headers).status
    }

    func begin(_ headers: [String: String]) async throws -> (status: Int, id: String) {
        let answer = try await post("/consultations", #"{"consultationType":"nutrition"}"#, headers)
        return (answer.status, answer.body["id"]?.text ?? "")
    }

    func ticket(_ id: String, _ headers: [String: String]) async throws -> String {
        let answer = try await post("/consultations/\(id)/ticket", "", headers)
        #expect(answer.status == 201 && answer.body["expires_in"] == 30)
        return TestSecrets.remember(answer.body["ticket"]?.text ?? "no ticket")
    }

    func address(_ id: String) -> String { "ws://127.0.0.1:\(server.port)/ws/consultation?consultation_id=\(id)" }

    func open(_ id: String, _ headers: [String: String] = [:]) async throws -> LoginSocket {
        LoginSocket(
            try await WebSocketConnector.connect(
                url: address(id), headers: HTTPHeaders(headers.map { ($0, $1) }), timeout: .patient))
    }

    func open(_ id: String, _ headers: [String: String], mayFail: Bool) async throws -> LoginSocket? {
        do { return try await open(id, headers) } catch is WebSocketUpgradeError { return nil }
    }

    /// The status that a handshake was refused with.
    func refusal(_ id: String, _ headers: [String: String]) async throws -> Int? {
        do {
            let socket = try await open(id, headers)
            await socket.socket.close(code: .normal, reason: "")
            return nil
        } catch let error as WebSocketUpgradeError {
            return Int(error.status.code)
        }
    }
}

final class LoginSocket {
    let socket: WebSocketConnection
    private var events: WebSocketEvents.Iterator
    private var sent = 0

    init(_ socket: WebSocketConnection) {
        self.socket = socket
        events = socket.events.makeAsyncIterator()
    }

    func send(_ type: EnvelopeType, _ content: String? = nil) async throws {
        sent += 1
        let frame = Envelope(type, content: content, messageID: "m\(sent)", timestamp: 1_750_000_000)
        try await socket.send(text: String(decoding: frame.bytes, as: UTF8.self))
    }

    /// The next frame of a type; others are passed over.
    func next(_ type: EnvelopeType) async throws -> Envelope {
        while let event = await events.next() {
            switch event {
            case .text(let text):
                let frame = try Array(text.utf8).withUnsafeBytes { try Envelope.decode($0) }
                if frame.type == type { return frame }
            case .disconnected(let code, _): throw StreamReader.Disconnected(code: code)
            default: continue
            }
        }
        throw StreamReader.Disconnected(code: .abnormal)
    }

    func closed() async throws -> WebSocketCloseCode {
        do {
            while true { _ = try await next(.aiMessageChunk) }
        } catch let error as StreamReader.Disconnected {
            return error.code
        }
    }
}
