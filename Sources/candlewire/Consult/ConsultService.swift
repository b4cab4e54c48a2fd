import Foundation
import MarketServices

/// The consultations of a server, over REST.
struct ConsultService {
    let server: ServerConnection

    /// Begins a consultation. One whose answer gets lost is begun again and stays empty.
    /// - Returns: its id.
    func begin(_ type: String) async throws -> String {
        try await server.send("POST", ["consultations"], body: ["consultation_type": type]).decoded(
            ConsultationDocument.self
        ).id
    }

    func delete(_ id: String) async throws { _ = try await server.send("DELETE", ["consultations", id]) }

    func find(_ id: String) async throws -> String {
        try await server.get(["consultations", id]).decoded(ConsultationDocument.self).id
    }

    func list() async throws -> ServerAnswer { try await server.get(["consultations"], [("limit", "50")]) }

    func messages(_ id: String, limit: Int) async throws -> [ConsultationMessageDocument] {
        try await server.get(["consultations", id, "messages"], [("limit", "\(limit)")])
            .decoded(ConsultationMessagesDocument.self).messages
    }

    func export(_ id: String, format: String) async throws -> Data {
        Data(try await server.get(["consultations", id, "export"], [("format", format)]).body)
    }

    /// Decides about a proposed order. Requested twice, it is the same order.
    func decide(_ id: String, template: String, approve: Bool, account: String) async throws -> ServerAnswer {
        try await server.send(
            "POST", ["consultations", id, "proposals", template], approve ? [("account", account)] : [],
            body: ["decision": approve ? "approve" : "decline"])
    }

    /// Where the conversation is streamed.
    func socket(_ id: String) -> String {
        "ws\(server.address.base.dropFirst("http".count))/ws/consultation?consultation_id=\(id)"
    }
}

struct ConsultationDocument: Decodable {
    var id: String
    var type: String
    var title: String
    var updatedAt: Double
    var messages: Int
}

struct ConsultationsDocument: Decodable {
    var consultations: [ConsultationDocument]
    var more: Bool
}

struct ConsultationMessageDocument: Decodable {
    var messageId: String
    var role: String
    var content: String
    var timestamp: Double
    var end: String?
}

struct ConsultationMessagesDocument: Decodable {
    var messages: [ConsultationMessageDocument]
}
