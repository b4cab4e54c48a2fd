import NIOCore
import NIOHTTP1
import WebSocketTransport

/// Decides which requests become WebSockets, and what they become.
enum StreamUpgrade {
    /// What a server that stops waits for readers that do not answer its close.
    private static let closeTimeout = TimeAmount.seconds(2)

    static func make(
        _ configuration: ServerConfiguration, core: MarketCore, shards: [ShardReference],
        consultations: ConsultationDesk?, counts: AdmissionCounts
    ) -> WebSocketServerUpgrade {
        let limits = configuration.limits
        let admission = StreamAdmission(
            tokens: configuration.streamTokens, hidesAccounts: TradingAccess(configuration).isClosed,
            origins: configuration.originPolicy)
        var sockets = WebSocketConfiguration.server
        sockets.closeTimeout = closeTimeout
        sockets.keepAlive = WebSocketKeepAlive(interval: .clamped(seconds: limits.pingInterval))
        sockets.messageRate = WebSocketMessageRate(
            messagesPerSecond: limits.messagesPerSecond, burst: Int(min(limits.messagesPerSecond * 10, 1e9)))
        var upgrade = WebSocketServerUpgrade(
            configuration: sockets, requestTimeout: .clamped(seconds: limits.handshakeTime),
            shouldUpgrade: { decide($0, admission, consultations, counts, servesEcho: configuration.echoes) },
            onOpen: { socket, head in
                counts.change { $0.accepted += 1 }
                guard path(head) != rawPath else {
                    counts.change { $0.echoes += 1 }
                    socket.delegate = WebSocketEcho { _, _, _ in counts.change { $0.echoes -= 1 } }
                    return
                }
                guard let loop = socket.channel?.eventLoop,
                    let index = shards.firstIndex(where: { $0.loop === loop })
                else { return }
                if path(head) == ConsultationUpgrade.path {
                    consultations?.accept(socket, head, on: loop, index: index)
                    return
                }
                let shard = shards[index].onLoop
                socket.delegate = shard.add { id in
                    StreamConnection(id: id, socket: socket, core: core, shard: shard, loop: loop, admission: admission)
                }
            })
        upgrade.connectionLimit = WebSocketConnectionLimit(
            perAddress: limits.connectionsPerAddress, total: limits.connections)
        upgrade.onRequestTimeout = { counts.change { $0.timeout += 1 } }
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
        _ head: HTTPRequestHead, _ admission: StreamAdmission, _ consultations: ConsultationDesk?,
        _ counts: AdmissionCounts, servesEcho: Bool
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
        if let consultations, isConsultation, let error = consultations.refusal(of: head) {
            return .refuse(HTTPResponseStatus(statusCode: error.statusCode), headers: [:], message: error.message)
        }
        if path == rawPath, let tokens = admission.tokens {
            do {
                try tokens.check { head.headers.first(name: $0) }
            } catch {
                return .refuse(.unauthorized, headers: [:], message: error.message)
            }
        }
        return .accept(configuration: path == rawPath ? WebSocketEcho.configuration : nil)
    }
}
