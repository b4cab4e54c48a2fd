import Foundation
import NIOCore
import NIOHTTP1
import StreamCore
import WebSocketTransport

/// Which requests for `/ws/consultation` become WebSockets.
enum ConsultationUpgrade {
    static let path: Substring = "/ws/consultation"

    /// The value of a parameter in a request's query.
    static func query(_ name: String, _ head: HTTPRequestHead) -> String? {
        let pairs = head.uri.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }.split(separator: "&")
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == name else { continue }
            return String(parts[1]).removingPercentEncoding
        }
        return nil
    }
}

extension ConsultationDesk {
    /// Why a handshake is refused, as far as its head says.
    func refusal(of head: HTTPRequestHead, from address: ClientAddress) -> APIError? {
        guard let id = ConsultationUpgrade.query("consultation_id", head)?.lowercased(), !id.isEmpty else {
            return .invalid("consultation_id", "The address needs ?consultation_id=ID; POST /consultations gives one.")
        }
        do throws(APIError) {
            // A client that is not authenticated learns nothing about what there is.
            let login = try access.login(head, from: address, consultation: id, usesTicket: false)
            if let user = login.user { try check(id, user) }
            return nil
        } catch {
            return error
        }
    }

    /// Makes an accepted handshake a reader of its conversation.
    func accept(
        _ socket: WebSocketHandler, _ head: HTTPRequestHead, from address: ClientAddress, on loop: any EventLoop,
        index: Int
    ) {
        let id = ConsultationUpgrade.query("consultation_id", head)?.lowercased() ?? ""
        // A ticket may have been used up meanwhile; then the first frame has to say who it is.
        let login = try? access.login(head, from: address, consultation: id, usesTicket: true)
        let known = login?.user
        // A ticket or a first frame auth: not a client of the original protocol.
        let isOriginal = known != nil && ConsultationUpgrade.query("ticket", head) == nil
        let agent = isOriginal ? String((head.headers.first(name: "user-agent") ?? "").prefix(200)) : nil
        socket.delegate = ConsultationConnection(
            number: counts.nextNumber(), conversation: id, user: known, hasKey: login?.hasKey ?? false, agent: agent,
            socket: socket, address: address, desk: self, loop: loop, loopIndex: index)
    }
}

extension WebSocketCloseCode {
    /// The conversation is another user's. The client must not reconnect.
    static let foreignConsultation = WebSocketCloseCode(rawValue: 4103)
    /// There is no such conversation, or there is none any more. It must not reconnect.
    static let unknownConsultation = WebSocketCloseCode(rawValue: 4104)
}
