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
    private typealias Handler = @Sendable (APIRequest, ConsultationUser) async throws -> Response

    static let maxListed = 100

    let desk: ConsultationDesk

    func add(to routes: inout RouteTable) {
        on(.get, "consultations", &routes) { request, user in
            let limit = try request.limit(50, max: Self.maxListed)
            let (consultations, more) = try await desk.list(
                user: user, kind: request.query("type"), before: request.query("before"), limit: limit)
            return .object { sink in
                sink.field("more", more)
                sink.list("consultations", consultations)
            }
        }
        on(.post, "consultations", &routes) { try await start($0, $1) }
        on(.get, "consultation-types", &routes) { [types = desk.options.types] _, _ in
            .object { sink in
                sink.list("types", types.all.map(\.document))
                sink.field("accepts_others", types.acceptsOthers)
            }
        }
        on(.get, "consultations/:id", &routes) { request, user in
            .json(try await desk.summary(try id(request, user)))
        }
        on(.delete, "consultations/:id", &routes) { request, user in
            try await desk.delete(try id(request, user))
            return Response(status: .noContent)
        }
        on(.get, "consultations/:id/messages", &routes) { request, user in
            let limit = try request.limit(50, max: Self.maxListed)
            let (messages, more) = try await desk.messages(
                try id(request, user), before: request.query("before"), limit: limit)
            return .object { sink in
                sink.field("more", more)
                sink.list("messages", messages)
            }
        }
        on(.get, "consultations/:id/templates/:template_id", &routes) { request, user in
            .json(JSONValue.object(try await desk.template(request.path("template_id"), of: try id(request, user))))
        }
        on(.get, "consultations/:id/export", &routes) { request, user in
            guard let format = ConversationExport(rawValue: request.query("format") ?? "json") else {
                throw APIError.invalid("format", "Parameter \"format\" must be json or markdown.")
            }
            let id = try id(request, user)
            return format.response(
                try await desk.summary(id), try await desk.messages(id, before: nil, limit: .max).messages)
        }
        on(.post, "consultations/:id/proposals/:template_id", &routes) { try await decide($0, $1) }
        on(.post, "consultations/:id/ticket", &routes) { try ticket($0, $1) }
    }

    private func on(
        _ method: HTTPRequest.Method, _ path: String, _ routes: inout RouteTable, _ handler: @escaping Handler
    ) {
        routes.on(method, path, .consultations) { [desk] request in
            let login = try desk.access.login(request.header, from: request.address)
            guard let user = login.user else { throw login.missing ?? desk.access.loginRequired }
            request.notes?.note(principal: user.auditName)
            if method == .get { try desk.allow(path.hasSuffix("/export") ? .export : .page, user) }
            return try await handler(request, user)
        }
    }

    /// The consultation in the path, if the user may open it.
    private func id(_ request: APIRequest, _ user: ConsultationUser) throws(APIError) -> String {
        let id = request.path("id").lowercased()
        try desk.check(id, user)
        return id
    }

    private func start(_ request: APIRequest, _ user: ConsultationUser) async throws -> Response {
        let body = try await request.body(allowed: [
            "consultation_type", "consultationType", "user_id", "userId", "initial_message", "initialMessage",
        ])
        func text(_ name: String, _ other: String) throws -> String? {
            guard !body.has(name) || !body.has(other) else {
                throw APIError.invalid(name, "Fields \"\(name)\" and \"\(other)\" are the same; send one of them.")
            }
            return try body.text(name) ?? body.text(other)
        }
        guard let kind = try text("consultation_type", "consultationType") else {
            throw APIError.missing("consultation_type", "what it is about, as \"nutrition\" or \"markets\"")
        }
        try check(kind, "consultation_type")
        guard desk.options.types.accepts(kind) else {
            throw APIError.unknownWord(
                "consultation_type", kind, desk.options.types.all.map(\.name).joined(separator: ", "))
        }
        let named = try text("user_id", "userId")
        if let named { try check(named, "user_id") }
        guard let owner = user.owner(named: named) else {
            throw APIError(
                .forbidden, "forbidden", "You can start consultations only for your own user.", field: "user_id")
        }
        let document = try await desk.start(
            user: owner, client: ClientLimits.Client(login: user.login, request.address), kind: kind,
            text: try text("initial_message", "initialMessage"))
        var response = Response.json(document, status: .created)
        response.headers[.location] = "/consultations/\(document.summary.id)"
        return response
    }

    private func check(_ name: String, _ field: String) throws(APIError) {
        guard UserName.isValid(name) else {
            throw .invalid(
                field, "Field \"\(field)\" must have 1 to \(UserName.longest) bytes and no control characters.")
        }
    }

    private func decide(_ request: APIRequest, _ user: ConsultationUser) async throws -> Response {
        let id = try id(request, user)
        let body = try await request.body(allowed: ["decision", "account"])
        guard let word = try body.text("decision") else { throw APIError.missing("decision", "approve, decline") }
        guard ["approve", "decline"].contains(word) else {
            throw APIError.unknownWord("decision", word, "approve, decline")
        }
        let account: AccountID<Paper>
        if word == "approve" {
            guard let trader = user.trader, user.mayTrade else { throw desk.access.tradingRequiresToken }
            var request = request
            request.principal = trader
            try request.spend(.orders)
            account = try request.account(body)
        } else {
            account = try request.namedAccount(body)
        }
        let template = request.path("template_id")
        let outcome = try await desk.decide(
            id, proposal: template, approves: word == "approve", account: account, principal: user.auditName)
        switch outcome {
        case .approved(let order, let isNew):
            request.notes?.note(order: order.id.description)
            return .json(order, status: isNew ? .created : .ok)
        case .declined:
            return .object { sink in
                sink.fields("template_id", template, "decision", "declined")
            }
        }
    }

    /// For browsers, see `TicketBook`.
    private func ticket(_ request: APIRequest, _ user: ConsultationUser) throws -> Response {
        let id = try id(request, user)
        guard let ticket = desk.access.ticket(for: user, consultation: id) else {
            throw APIError(.serviceUnavailable, "busy", "Too many unused tickets; try again later.")
        }
        return .object(status: .created) { sink in
            sink.fields("ticket", ticket, "expires_in", TicketBook.lifetime)
        }
    }
}

/// A consultation as REST shows it.
struct ConsultationDocument: JSONObjectDocument, Sendable {
    var summary: ConversationSummary
    /// Whether an answer is under way.
    var isAnswering: Bool

    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("id", summary.id, "user", ConversationOwner(stored: summary.user).name)
        sink.fields("type", summary.kind, "status", "active")
        sink.fields("title", summary.title ?? summary.kind, "created_at", summary.createdAt)
        sink.fields("updated_at", summary.updatedAt, "messages", summary.messages, "answering", isAnswering)
    }
}
