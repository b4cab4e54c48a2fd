import HTTPTypes
import Hummingbird
import StreamCore

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
