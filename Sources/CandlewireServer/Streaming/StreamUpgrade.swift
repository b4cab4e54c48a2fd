import NIOCore
import NIOHTTP1
import WebSocketTransport

/// Decides which requests become WebSockets, and what they become.
enum StreamUpgrade {
    /// What a server that stops waits for readers that do not answer its close.
    private static let closeTimeout = TimeAmount.seconds(2)

    static func make(
        _ configuration: ServerConfiguration, core: MarketCore, shards: [ShardReference],
        consultations: ConsultationDesk?, counts: AdmissionCounts, gate: ConnectionGate, access: AccessControl,
        limiter: ClientLimiter
    ) -> WebSocketServerUpgrade {
        let limits = configuration.limits
        let admission = StreamAdmission(access: access, limiter: limiter, origins: configuration.originPolicy)
        var sockets = WebSocketConfiguration.server
        sockets.closeTimeout = closeTimeout
        sockets.keepAlive = WebSocketKeepAlive(interval: .clamped(seconds: limits.pingInterval))
        sockets.messageRate = WebSocketMessageRate(
            messagesPerSecond: limits.messagesPerSecond, burst: Int(min(limits.messagesPerSecond * 10, 1e9)))
        var upgrade = WebSocketServerUpgrade(
            configuration: sockets, requestTimeout: .clamped(seconds: limits.handshakeTime),
            decide: { head, _ in
                decide(
                    head, ClientAddress(head), admission, consultations, counts, servesEcho: configuration.echoes)
            },
            onOpen: { socket, head in
                counts.change { $0.accepted += 1 }
                guard path(head) != rawPath else {
                    counts.change { $0.echoes += 1 }
                    socket.delegate = WebSocketEcho { _, _, _ in counts.change { $0.echoes -= 1 } }
                    return
                }
                guard let channel = socket.channel,
                    let index = shards.firstIndex(where: { $0.loop === channel.eventLoop })
                else { return }
                let (loop, address) = (channel.eventLoop, ClientAddress(head))
                if path(head) == ConsultationUpgrade.path {
                    consultations?.accept(socket, head, from: address, on: loop, index: index)
                    return
                }
                let shard = shards[index].onLoop
                socket.delegate = shard.add(StreamEncoding(head)) { id in
                    StreamConnection(
                        id: id, socket: socket, core: core, shard: shard, loop: loop, admission: admission,
                        address: address, key: head.headers.first(name: "x-api-key"))
                }
            })
        upgrade.connectionLimit = gate.limit
        upgrade.clientAddress = { head in
            // A trusted proxy that names no client is its own: its connections are others'.
            head.clientAddress.flatMap { gate.proxies.trusts($0) ? nil : $0 }
        }
        upgrade.onRequestTimeout = {
            counts.change { $0.timeout += 1 }
            gate.change { $0.lateHeads += 1 }
        }
        return upgrade
    }

    private static let streamPaths: [Substring] = ["/v1/stream", "/ws"]
    /// All that may be there, by the configuration.
    static let paths = (streamPaths + [ConsultationUpgrade.path, rawPath]).map(String.init)
    /// The echo that conformance suites and tests talk to. It accepts large messages, compressed too, at any rate:
    /// not for unknown clients.
    static let rawPath: Substring = "/raw"

    static func path(_ head: HTTPRequestHead) -> Substring { head.uri.prefix { $0 != "?" } }

    private static func decide(
        _ head: HTTPRequestHead, _ address: ClientAddress, _ admission: StreamAdmission,
        _ consultations: ConsultationDesk?, _ counts: AdmissionCounts, servesEcho: Bool
    ) -> WebSocketServerUpgrade.Decision {
        let path = path(head)
        let isConsultation = path == ConsultationUpgrade.path && consultations != nil
        guard isConsultation || (path == rawPath && servesEcho) || streamPaths.contains(path) else {
            let echo = path == rawPath ? " The server echoes to other machines only with --raw." : ""
            return .refuse(.notFound, headers: [:], message: "The stream is at /v1/stream.\(echo)")
        }
        let (host, origin) = (head.headers.first(name: "host"), head.headers.first(name: "origin"))
        guard admission.origins.answers(toHost: host) else {
            counts.change { $0.origin += 1 }
            return .refuse(.misdirectedRequest, headers: [:], message: OriginPolicy.hostRefusal)
        }
        guard admission.origins.allows(origin: origin, host: host) else {
            counts.change { $0.origin += 1 }
            return .refuse(
                .forbidden, headers: [:],
                message: "Pages of this origin may not open the stream; the server allows them with --allow-origin.")
        }
        if let consultations, isConsultation, let error = consultations.refusal(of: head, from: address) {
            if error.statusCode == 401 { counts.change { $0.unauthenticated += 1 } }
            return .refuse(HTTPResponseStatus(statusCode: error.statusCode), headers: [:], message: error.message)
        }
        if path == rawPath, admission.access.tokens != nil {
            do throws(APIError) {
                try admission.access.principal({ head.headers.first(name: $0) }, from: address).check(.read)
            } catch {
                counts.change { $0.unauthenticated += 1 }
                return .refuse(
                    HTTPResponseStatus(statusCode: error.statusCode), headers: [:], message: error.message)
            }
        }
        return .accept(
            subprotocol: streamPaths.contains(path) ? StreamEncoding(head).subprotocol : nil,
            configuration: path == rawPath ? WebSocketEcho.configuration : nil)
    }
}
