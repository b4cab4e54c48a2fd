import HTTPTypes
import Hummingbird
import StreamCore
import TradingCore

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
