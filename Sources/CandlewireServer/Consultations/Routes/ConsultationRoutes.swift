import Consultation
import HTTPTypes
import HistoryStore
import Hummingbird
import StreamCore
import TradingCore

/// `/consultations`: begin, list, read, export and delete.
///
/// An answer is given when what it says is on disk.
struct ConsultationRoutes: Sendable {
    typealias Context = BasicRequestContext
    typealias Handler = @Sendable (TradingRequest, ConsultationUser) async throws -> Response

    /// Bytes of names: of users and of consultation types.
    private static let longestName = 128
    static let mostListed = 100

    let desk: ConsultationDesk

    func add(to router: Router<Context>) {
        on(.post, "consultations", router) { try await start($0, $1) }
        on(.get, "consultations", router) { request, user in
            let limit = try request.limit(50, most: Self.mostListed)
            let (consultations, more) = try await desk.list(
                user: user, kind: request.query("type"), before: request.query("before"), limit: limit)
            return JSONResponse.make { sink in
                sink.json("{\"more\":")
                sink.bool(more)
                sink.list("consultations", consultations) { $0.write(into: &$1) }
                sink.json("}")
            }
        }
        on(.get, "consultations/:id", router) { request, user in
            let document = try await desk.summary(try id(request, user))
            return JSONResponse.make { document.write(into: &$0) }
        }
        on(.get, "consultations/:id/messages", router) { request, user in
            let limit = try request.limit(50, most: Self.mostListed)
            let (messages, more) = try await desk.messages(
                try id(request, user), before: request.query("before"), limit: limit)
            return JSONResponse.make { sink in
                sink.json("{\"more\":")
                sink.bool(more)
                sink.list("messages", messages) { $0.write(into: &$1) }
                sink.json("}")
            }
        }
        on(.get, "consultations/:id/export", router) { request, user in
            let word = request.query("format") ?? "json"
            guard let format = ConversationExport(rawValue: word) else {
                throw APIError.invalid("format", "Parameter \"format\" must be json or markdown.")
            }
            let id = try id(request, user)
            return format.response(
                try await desk.summary(id), try await desk.messages(id, before: nil, limit: .max).messages)
        }
        addProposals(to: router)
        on(.delete, "consultations/:id", router) { request, user in
            try await desk.delete(try id(request, user))
            return Response(status: .noContent)
        }
        addTicket(to: router)
    }

    func on(
        _ method: HTTPRequest.Method, _ path: String, _ router: Router<Context>, _ handler: @escaping Handler
    ) {
        router.on(RouterPath(path), method: method) { [desk] request, context in
            try await JSONResponse.answer {
                let user = try desk.access.user { name in
                    HTTPField.Name(name).flatMap { request.headers[$0] }
                }
                guard let user else { throw desk.access.loginWanted }
                if method == .get { try desk.allow(path.hasSuffix("/export") ? .export : .page, user) }
                return try await handler(TradingRequest(request: request, parameters: context.parameters), user)
            }
        }
    }

    /// The consultation in the path, if the user may open it.
    func id(_ request: TradingRequest, _ user: ConsultationUser) throws(APIError) -> String {
        let id = request.path("id").lowercased()
        try desk.check(id, user)
        return id
    }

    private func start(_ request: TradingRequest, _ user: ConsultationUser) async throws -> Response {
        let body = try await request.body(allowed: [
            "consultation_type", "consultationType", "user_id", "userId", "initial_message", "initialMessage",
        ])
        guard let kind = try body.text("consultation_type") ?? body.text("consultationType") else {
            throw APIError.missing("consultation_type", "what it is about, as \"nutrition\" or \"markets\"")
        }
        try check(kind, "consultation_type")
        let named = try body.text("user_id") ?? body.text("userId")
        if let named {
            try check(named, "user_id")
            guard user.mayOpen(conversationOf: named) else {
                throw APIError(
                    status: .forbidden, code: "forbidden", message: "Consultations can be begun for oneself only.",
                    field: "user_id")
            }
        }
        let document = try await desk.start(
            user: named ?? user.id, kind: kind,
            text: try body.text("initial_message") ?? body.text("initialMessage"))
        var response = JSONResponse.make(status: .created) { document.write(into: &$0) }
        response.headers[.location] = "/consultations/\(document.summary.id)"
        return response
    }

    private func check(_ name: String, _ field: String) throws(APIError) {
        guard 1...Self.longestName ~= name.utf8.count,
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else {
            throw .invalid(
                field, "Field \"\(field)\" must have 1 to \(Self.longestName) bytes and no control characters.")
        }
    }

    /// What may be done at a path of these routes; `nil` elsewhere.
    static func methods(at path: String) -> [String]? {
        let parts = path.split(separator: "/")
        guard parts.first == "consultations" else { return nil }
        return switch parts.count {
        case 1: ["GET", "POST", "HEAD"]
        case 2: ["GET", "DELETE", "HEAD"]
        case 4 where parts[2] == "proposals": ["POST"]
        case 3 where ["messages", "export"].contains(parts[2]): ["GET", "HEAD"]
        case 3 where parts[2] == "ticket": ["POST"]
        default: nil
        }
    }
}

extension ConsultationRoutes {
    func addProposals(to router: Router<Context>) {
        on(.post, "consultations/:id/proposals/:template", router) { request, user in
            let id = try id(request, user)
            let body = try await request.body(allowed: ["decision"])
            guard let word = try body.text("decision") else { throw APIError.missing("decision", "approve, decline") }
            guard ["approve", "decline"].contains(word) else {
                throw APIError.unknownWord("decision", word, "approve, decline")
            }
            guard word == "decline" || user.mayTrade else { throw desk.access.tradingWanted }
            let template = request.path("template")
            let outcome = try await desk.decide(
                id, proposal: template, approves: word == "approve", account: try request.account(body))
            switch outcome {
            case .approved(let order, let isNew):
                return JSONResponse.make(status: isNew ? .created : .ok) { OrderDocument.write(order, into: &$0) }
            case .declined:
                return JSONResponse.make { sink in
                    sink.json("{\"template_id\":")
                    sink.string(template)
                    sink.field("decision", "declined")
                    sink.json("}")
                }
            }
        }
    }
}

extension ConsultationRoutes {
    /// `POST /consultations/{id}/ticket`: for browsers, see `TicketBook`.
    func addTicket(to router: Router<Context>) {
        on(.post, "consultations/:id/ticket", router) { request, user in
            let id = try id(request, user)
            guard let ticket = desk.access.ticket(for: user, consultation: id) else {
                throw APIError(
                    status: .serviceUnavailable, code: "busy", message: "Too many tickets wait to be used; try later.")
            }
            var response = JSONResponse.make(status: .created) { sink in
                sink.json("{\"ticket\":")
                sink.string(ticket)
                sink.field("expires_in", TicketBook.lifetime)
                sink.json("}")
            }
            response.headers[.cacheControl] = "no-store"
            return response
        }
    }
}

/// A consultation as REST shows it.
struct ConsultationDocument: Sendable {
    var summary: ConversationSummary
    /// Whether an answer is under way.
    var isAnswering: Bool

    func write(into sink: inout [UInt8]) {
        sink.json("{\"id\":")
        sink.string(summary.id)
        sink.field("user", summary.user)
        sink.field("type", summary.kind)
        sink.field("status", "active")
        sink.field("title", summary.title ?? summary.kind)
        sink.field("created_at", summary.createdAt)
        sink.field("updated_at", summary.updatedAt)
        sink.field("messages", summary.messages)
        sink.field("answering", isAnswering)
        sink.json("}")
    }
}
