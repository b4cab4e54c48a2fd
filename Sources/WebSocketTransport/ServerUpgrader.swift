import NIOCore
import NIOHTTP1
import NIOWebSocket
import StreamCore

/// An HTTP answer to a request for a WebSocket that is not to be.
struct UpgradeRefusal: Sendable {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders = [:]
    var message = ""
}

/// The upgrader of one connection: NIO's handshake, our handler.
final class ServerUpgrader<Ordinary: Sendable>: NIOTypedHTTPServerProtocolUpgrader, Sendable {
    typealias UpgradeResult = WebSocketServerUpgrade.Outcome<Ordinary>

    enum Verdict: Sendable {
        case ordinary
        case refused(UpgradeRefusal)
        case accepted(WebSocketConfiguration, DeflateAgreement?)
    }

    let supportedProtocol = "websocket"
    let requiredUpgradeHeaders: [String] = []
    /// What was decided about the request, for when NIO has done its part. It knows only "no upgrade", which would
    /// make a refused request an ordinary one.
    let verdict: NIOLoopBoundBox<Verdict>
    private let upgrade: WebSocketServerUpgrade

    init(upgrade: WebSocketServerUpgrade, eventLoop: any EventLoop) {
        self.upgrade = upgrade
        verdict = NIOLoopBoundBox(.ordinary, eventLoop: eventLoop)
    }

    func buildUpgradeResponse(
        channel: any Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
    ) -> EventLoopFuture<HTTPHeaders> {
        if let flaw = Self.flaw(of: upgradeRequest) { return refuse(flaw, on: channel) }
        var headers: HTTPHeaders
        switch upgrade.decide(upgradeRequest, channel) {
        case .accept(let extra, let subprotocol, let configuration):
            if let limit = upgrade.connectionLimit {
                let address = upgrade.clientAddress.map { $0(upgradeRequest) } ?? IPAddress(channel.remoteAddress)
                if let refusal = limit.admit(channel, address: address) { return refuse(refusal, on: channel) }
            }
            let configuration = configuration ?? upgrade.configuration
            headers = extra
            let offers = WebSocketExtension.parse(upgradeRequest.headers["sec-websocket-extensions"]) ?? []
            let compression = configuration.compression?.accept(offers)
            verdict.value = .accepted(configuration, compression?.agreement)
            headers.remove(name: "Sec-WebSocket-Extensions")
            if let answer = compression?.answer {
                headers.add(name: "Sec-WebSocket-Extensions", value: answer.headerValue)
            }
            if let subprotocol { headers.replaceOrAdd(name: "Sec-WebSocket-Protocol", value: subprotocol) }
        case .refuse(let status, let extra, let message):
            return refuse(UpgradeRefusal(status: status, headers: extra, message: message), on: channel)
        case .ordinaryRequest: return channel.eventLoop.makeFailedFuture(NotAWebSocketError())
        }
        let accepted = headers
        let handshake = NIOTypedWebSocketServerUpgrader<Void>(
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(accepted) },
            upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
        return handshake.buildUpgradeResponse(
            channel: channel, upgradeRequest: upgradeRequest, initialResponseHeaders: initialResponseHeaders)
    }

    func upgrade(channel: any Channel, upgradeRequest: HTTPRequestHead) -> EventLoopFuture<UpgradeResult> {
        channel.eventLoop.makeCompletedFuture {
            guard case .accepted(let configuration, let agreement) = verdict.value else { throw NotAWebSocketError() }
            let handler = WebSocketHandler(role: .server, configuration: configuration, agreement: agreement)
            try channel.pipeline.syncOperations.addHandler(handler)
            upgrade.onOpen(handler, upgradeRequest)
            return .webSocket(channel)
        }
    }

    private func refuse(_ refusal: UpgradeRefusal, on channel: any Channel) -> EventLoopFuture<HTTPHeaders> {
        verdict.value = .refused(refusal)
        return channel.eventLoop.makeFailedFuture(NotAWebSocketError())
    }

    /// What is wrong with the request by RFC 6455 section 4.2.1, beyond what made NIO call us.
    private static func flaw(of head: HTTPRequestHead) -> UpgradeRefusal? {
        guard head.method == .GET else {
            return UpgradeRefusal(status: .methodNotAllowed, headers: ["Allow": "GET"], message: "GET is needed")
        }
        guard head.version.major == 1, head.version.minor >= 1 else {
            return UpgradeRefusal(status: .badRequest, message: "HTTP/1.1 is needed")
        }
        guard head.headers[canonicalForm: "sec-websocket-version"] == ["13"] else {
            return UpgradeRefusal(
                status: .upgradeRequired, headers: ["Sec-WebSocket-Version": "13", "Upgrade": "websocket"],
                message: "WebSocket version 13 is needed")
        }
        let keys = head.headers[canonicalForm: "sec-websocket-key"]
        // 16 bytes in base 64: 22 characters and two of padding.
        guard keys.count == 1, let key = keys.first?.utf8, key.count == 24, key.suffix(2).elementsEqual("==".utf8),
            key.dropLast(2).allSatisfy(isBase64)
        else {
            return UpgradeRefusal(status: .badRequest, message: "Sec-WebSocket-Key is not 16 bytes in base 64")
        }
        guard WebSocketExtension.parse(head.headers["sec-websocket-extensions"]) != nil else {
            return UpgradeRefusal(status: .badRequest, message: "Sec-WebSocket-Extensions is malformed")
        }
        return nil
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

/// Makes NIO refuse the upgrade. It passes along the pipeline as an error that needs no handling.
struct NotAWebSocketError: Error {}
