import Foundation
import StreamCore
import Synchronization

/// One change: who, from where, what, when, with which outcome. No secret has a place in it: no header, no body, no query.
package struct AuditRecord: Sendable, Equatable, JSONObjectDocument {
    /// Seconds since 1970 UTC.
    package var time: Double
    package var principal: String
    package var address: String
    /// `POST /v1/orders`, or what the server did by itself.
    package var action: String
    package var account: String?
    package var order: String?
    /// The status of the answer.
    package var status: Int
    /// The error's code.
    package var code: String?
    package var correlationID: String

    init(
        time: Double, principal: String, address: String, action: String, account: String? = nil, order: String? = nil,
        status: Int, code: String? = nil, correlationID: String
    ) {
        self.time = time
        self.principal = principal
        self.address = address
        self.action = action
        self.account = account
        self.order = order
        self.status = status
        self.code = code
        self.correlationID = correlationID
    }

    /// Bytes of a path; a longer one is cut.
    private static let longestPath = 200

    init(_ call: APIRequest, _ notes: AuditNotes, method: String, path: String, correlationID: String, status: Int) {
        let found = notes.values
        self.init(
            time: WallClock.now(), principal: found.principal ?? call.principal.name,
            address: call.address.description, action: "\(method) \(path.prefix(Self.longestPath))",
            account: found.account, order: found.order, status: status, code: found.code, correlationID: correlationID)
    }

    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("time", time, "principal", principal, "address", address, "action", action)
        sink.fields("account", account, "order", order, "status", status, "code", code)
        sink.field("correlation_id", correlationID)
    }

    /// As it is in the file, with its line end.
    var line: [UInt8] {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return bytes + [UInt8(ascii: "\n")]
    }

    /// - Returns: `nil` for a line that is none of ours, such as one that was cut off by a crash.
    package init?(line: some Sequence<UInt8>) {
        let document = Array(line).withUnsafeBytes { try? JSONValue(parsing: $0) }
        guard let document, let time = document["time"]?.number, let principal = document["principal"]?.text,
            let action = document["action"]?.text, let status = document["status"]?.number.flatMap({ Int(exactly: $0) })
        else { return nil }
        self.init(
            time: time, principal: principal, address: document["address"]?.text ?? "", action: action,
            account: document["account"]?.text, order: document["order"]?.text, status: status,
            code: document["code"]?.text, correlationID: document["correlation_id"]?.text ?? "")
    }
}

/// What handlers add to a request's entry.
final class AuditNotes: Sendable {
    struct Values: Sendable {
        var principal: String?
        var account: String?
        var order: String?
        var code: String?
    }

    private let state = Mutex(Values())

    var values: Values { state.withLock { $0 } }

    func note(principal: String) { state.withLock { $0.principal = principal } }
    /// What a client sends may be long.
    func note(account: String) { state.withLock { $0.account = String(account.prefix(80)) } }
    func note(order: String) { state.withLock { $0.order = String(order.prefix(80)) } }
    func note(code: String) { state.withLock { $0.code = code } }
}
