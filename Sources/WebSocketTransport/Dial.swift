import NIOConcurrencyHelpers
package import NIOCore
package import NIOHTTP1
import NIOPosix

/// The way to an open connection: TCP, TLS where it is wanted, the handshake, all within one deadline.
package struct Dial<Opened: Sendable>: Sendable {
    package typealias OnOpen = @Sendable (WebSocketHandler, HTTPResponseHead) throws -> Opened

    private let headers: HTTPHeaders
    private let subprotocols: [String]
    private let tls: WebSocketTLS
    private let configuration: WebSocketConfiguration
    private let timeout: TimeAmount
    private let onOpen: OnOpen

    package init(
        headers: HTTPHeaders, subprotocols: [String], tls: WebSocketTLS, configuration: WebSocketConfiguration,
        timeout: TimeAmount, onOpen: @escaping OnOpen
    ) {
        self.headers = headers
        self.subprotocols = subprotocols
        self.tls = tls
        self.configuration = configuration
        self.timeout = timeout
        self.onOpen = onOpen
    }

    /// - Parameter onChannel: called on the event loop as soon as there is something to close.
    package func run(
        _ text: String, on eventLoop: any EventLoop, onChannel: @escaping @Sendable (any Channel) -> Void = { _ in }
    ) -> EventLoopFuture<Opened> {
        let url: WebSocketURL
        do {
            url = try WebSocketURL(text)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        let deadline = NIODeadline.now() + timeout
        guard url.isSecure else {
            return connect(to: url, deadline: deadline, on: eventLoop).flatMap { channel in
                onChannel(channel)
                return handshake(with: url).run(on: channel, deadline: deadline, timeout: timeout)
            }
        }
        return TLSContexts.shared.context(for: tls, on: eventLoop).flatMap { context in
            connect(to: url, deadline: deadline, on: eventLoop).flatMap { channel in
                onChannel(channel)
                return secure(channel, ClientTLS(options: tls, url: url, context: context), deadline: deadline)
            }
        }
    }

    /// The same for a task: cancelling it ends the attempt wherever it is.
    func cancellable(_ text: String, on group: any EventLoopGroup) async throws -> Opened {
        let eventLoop = group.any()
        let promise = eventLoop.makePromise(of: Opened.self)
        let open = NIOLockedValueBox<(channel: (any Channel)?, isCancelled: Bool)>((nil, false))
        return try await withTaskCancellationHandler {
            let running = run(text, on: eventLoop) { channel in
                let isCancelled = open.withLockedValue { open in
                    open.channel = channel
                    return open.isCancelled
                }
                if isCancelled { channel.close(promise: nil) }
            }
            running.cascade(to: promise)
            return try await promise.futureResult.get()
        } onCancel: {
            let channel = open.withLockedValue { open in
                open.isCancelled = true
                return open.channel
            }
            // First, so that the closed connection is not what the caller gets.
            promise.fail(CancellationError())
            channel?.close(promise: nil)
        }
    }

    private func connect(
        to url: WebSocketURL, deadline: NIODeadline, on eventLoop: any EventLoop
    ) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: eventLoop)
            .connectTimeout(max(.nanoseconds(1), deadline - .now()))
            .connect(host: url.host, port: url.port)
            .flatMapErrorThrowing { error in
                if case ChannelError.connectTimeout = error { throw handshake(with: url).timedOut(after: timeout) }
                throw WebSocketConnectError(
                    .unreachable, "cannot connect to \(url.hostAndPort): \(NetworkFailure(error).words)",
                    underlying: error
                )
            }
    }

    private func secure(_ channel: any Channel, _ client: ClientTLS, deadline: NIODeadline) -> EventLoopFuture<Opened> {
        let handshake = handshake(with: client.url)
        let secured = channel.eventLoop.makePromise(of: NIOLoopBound<TLSGuard>.self)
        let timer = channel.eventLoop.scheduleTask(deadline: deadline) {
            secured.fail(handshake.timedOut(after: timeout))
        }
        secured.futureResult.whenComplete { result in
            timer.cancel()
            if case .failure = result { channel.close(promise: nil) }
        }
        client.start(on: channel).cascade(to: secured)
        return secured.futureResult.flatMap { tlsGuard in
            handshake.run(on: channel, deadline: deadline, timeout: timeout).flatMapErrorThrowing { error in
                // With TLS 1.3 a server refuses a client's certificate only after the client's handshake is done.
                throw tlsGuard.value.failure ?? error
            }
        }
    }

    private func handshake(with url: WebSocketURL) -> ClientHandshake<Opened> {
        ClientHandshake(
            url: url, headers: headers, subprotocols: subprotocols, configuration: configuration, onOpen: onOpen)
    }
}
