import Consultation
import HTTPTypes
import MarketModel
import NIOCore
import StreamCore
import TradingCore

/// What became of an order proposal.
enum ProposalOutcome: Sendable {
    case approved(Order<Paper>, isNew: Bool)
    case declined
}

extension ConsultationDesk {
    /// Does what the user decided about an order proposal: places the paper order, or nothing.
    ///
    /// Deciding the same once more gives the same answer, and the same order, whichever account is named. What the desk
    /// refuses leaves the proposal as it was.
    ///
    /// An order is placed before the conversation says so, and the process may end between the two: where there is an order
    /// with the proposal's id already, that is what was decided.
    /// - Parameter template: the proposal's template id, which becomes the order's client order id.
    /// - Parameter principal: who decides; the ledger's entries carry the name.
    /// - Throws: `APIError`: 404, 409 for another decision than the one that was made, or what the desk says.
    func decide(
        _ id: String, proposal template: String, approves: Bool, account: AccountID<Paper>, principal: String
    ) async throws -> ProposalOutcome {
        let claimed = try await claim(template, of: id)
        let outcome = await Result.of { try await decide(id, claimed, approves, account, principal) }
        mailbox.put(.request { $0.deciding.remove(template) })
        return try outcome.get()
    }

    private func decide(
        _ id: String, _ claimed: (proposal: Template, isSuperseded: Bool), _ approves: Bool,
        _ account: AccountID<Paper>, _ principal: String
    ) async throws -> ProposalOutcome {
        let proposal = claimed.proposal
        switch (proposal.decision, approves) {
        case (nil, _):
            if let known = try await trading.run(changes: false, { $0.order(clientOrderID: proposal.id) }) {
                let decision = ProposalDecision.approved(order: known.id.description)
                try await record(decision, proposal.id, of: id)
                guard approves else { throw APIError.alreadyDecided(decision) }
                return .approved(known, isNew: false)
            }
            guard approves else {
                try await record(.declined, proposal.id, of: id)
                return .declined
            }
            guard !claimed.isSuperseded else {
                throw APIError(
                    .conflict, "superseded",
                    "The question that this order was proposed for was replaced; ask for a new proposal.")
            }
            let request = try OrderRequest(proposal, trading.core.registry)
            let placed = try await trading.run(changes: true, principal: principal) {
                try $0.placeAgreed(request, account)
            }
            do {
                try await record(.approved(order: placed.order.id.description), proposal.id, of: id)
            } catch let error as APIError where error.code == APIError.unknownConsultation(id).code {
                // Deleted meanwhile: the order stands all the same, and is reported to its owner.
            }
            return .approved(placed.order, isNew: placed.isNew)
        case (.declined, false): return .declined
        case (.approved(let order), true):
            let order = try OrderID<Paper>(order)
            return .approved(try await trading.run(changes: false) { try $0.order(order) }, isNew: false)
        case (.declined, true), (.approved, false):
            throw APIError.alreadyDecided(proposal.decision)
        }
    }

    /// The proposal, for one decision at a time: two tabs may say yes at once, to different accounts.
    private func claim(_ template: String, of id: String) async throws -> (proposal: Template, isSuperseded: Bool) {
        try await run(with: id) { registry, conversation throws(APIError) in
            guard let message = conversation.machine.proposal(template), let proposal = message.template else {
                throw APIError(
                    .notFound, "unknown_proposal",
                    "There is no order proposal \"\(template.prefix(80))\" in this consultation.")
            }
            guard registry.deciding.insert(template).inserted else {
                throw APIError(
                    .conflict, "being_decided", "The proposal is being decided at this moment; fetch it again.")
            }
            return (proposal, message.isSuperseded)
        }
    }

    /// Makes the decision an entry of the conversation; returns when it is on disk.
    private func record(_ decision: ProposalDecision, _ template: String, of id: String) async throws {
        try await run { (registry, promise: EventLoopPromise<Void>) in
            registry.with(id) { result in
                switch result {
                case .success(let conversation):
                    let now = registry.clock()
                    conversation.machine.decide(template, decision, now: now)
                    registry.performActions(of: conversation, now)
                    conversation.afterStoring(promise)
                case .failure(let error): promise.fail(error)
                }
            }
        }
    }
}

extension APIError {
    fileprivate static func alreadyDecided(_ decision: ProposalDecision?) -> APIError {
        APIError(.conflict, "already_decided", "The proposal was \(decision?.name ?? "decided") already.")
    }
}

extension OrderRequest {
    /// The order that a proposal proposes.
    /// - Throws: `APIError` where it is none that this server could place. What stands in it may come from a model.
    init(_ proposal: Template, _ registry: MarketRegistry) throws(APIError) {
        let symbol = proposal.fields["symbol"]?.text ?? ""
        let market = try registry.market(symbol, status: .unprocessableContent)
        let (side, type) = (
            Side(rawValue: proposal.fields["side"]?.text ?? ""),
            OrderType(rawValue: proposal.fields["order_type"]?.text ?? "")
        )
        guard let quantity = proposal.fields["quantity"]?.text.flatMap({ ExactDecimal($0) }) else {
            throw .missing("quantity", "a decimal above 0")
        }
        func price(_ name: String) -> ExactDecimal? { proposal.fields[name]?.text.flatMap { ExactDecimal($0) } }
        self.init(
            clientOrderID: proposal.id, symbol: registry.markets[market].symbol, side: side, type: type,
            quantity: quantity, limitPrice: price("limit_price"), stopPrice: price("stop_price"),
            takeProfit: price("take_profit"), stopLoss: price("stop_loss"))
    }
}
