package import NIOCore
import NIOHTTP1
package import StreamCore
package import WebSocketTransport

/// The shell of a `FeedSession` on an event loop: it opens sockets, fetches tokens and hands on what comes.
///
/// Lives on its event loop alone; holds its sockets and they hold it, until `stop`.
package final class FeedConnection: SocketDriver {
    /// Gets what the connection brings, on its event loop. The trades are in `session.venueSession` during the call only, and
    /// the books that changed in `session.books`.
    package protocol Receiver: AnyObject {
        func feed(_ connection: FeedConnection, received kind: VenueMessageKind)
        func feed(_ connection: FeedConnection, event: FeedEvent)
    }

    package struct Options: Sendable {
        package var tls = WebSocketTLS.default
        /// Fetches a token, for venues that need one.
        package var token: (@Sendable (_ wasRejected: Bool) async throws -> String)?
        /// Fetches a whole order book, for venues whose streams have changes only; see `BookSnapshots`.
        package var book: (@Sendable (_ path: String) async throws -> [UInt8])?
        /// The largest accepted message, in bytes: order book snapshots of 5 MB were recorded.
        package var maximumMessage = 16 << 20
        /// For the name, TCP, TLS and the handshake together.
        package var connectTimeout = TimeAmount.seconds(5)

        package init() {}
    }

    package var session: FeedSession
    package let shell: SocketShell<SocketNumber>
    package weak var receiver: (any Receiver)?
    private let options: Options

    /// Must be called on the event loop.
    package init(_ session: FeedSession, on eventLoop: any EventLoop, options: Options = Options()) {
        self.session = session
        self.options = options
        shell = SocketShell(on: eventLoop)
    }

    package func connect() { update { $0.connect(now: $1) } }
    /// Ends a wait for the next attempt.
    package func retryNow() { update { $0.retryNow(now: $1) } }
    package func add(_ symbol: String) { update { $0.add(symbol, now: $1) } }
    package func setWanted(_ symbol: Int, _ isWanted: Bool) { update { $0.setWanted(symbol, isWanted, now: $1) } }

    /// Closes the connection for good.
    package func stop() { shutDown { $0.disconnect(now: $1) } }

    package func connect(_ onOpen: @escaping @Sendable (WebSocketHandler) -> Void) -> EventLoopFuture<Void> {
        var configuration = WebSocketConfiguration.client
        configuration.limits.messageBytes = options.maximumMessage
        configuration.limits.frameBytes = options.maximumMessage
        return WebSocketConnector.connect(
            url: session.url, headers: HTTPHeaders(session.adapter.headers.map { ($0.name, $0.value) }),
            tls: options.tls, configuration: configuration, timeout: options.connectTimeout, on: eventLoop
        ) { handler, _ in onOpen(handler) }.map { _ in }
    }

    package func send(_ frame: FeedFrame, to handler: WebSocketHandler) {
        switch frame {
        case .text(let text): handler.send(text: text)
        case .binary(let bytes): handler.send(binary: ByteBuffer(bytes: bytes))
        }
    }

    package func receive(_ bytes: Bytes, on socket: SocketNumber, now: Double) -> Bool {
        let kind = session.received(bytes, on: socket, now: now)
        // The trades first: what the session requests may bring the next message.
        receiver?.feed(self, received: kind)
        // Trades need nothing done, and move no deadline to an earlier time; the first change of a book does.
        return session.hasActions || session.books?.hasNewDeadline == true
    }

    package func setBookWanted(_ symbol: Int, _ isWanted: Bool) {
        update { $0.setBookWanted(symbol, isWanted, now: $1) }
    }

    package func report(_ event: FeedEvent) {
        if case .book(.fetch(let number, let path)) = event { return fetchBook(number, path) }
        receiver?.feed(self, event: event)
    }

    /// Several may be fetched at once: each has its number.
    private func fetchBook(_ number: Int, _ path: String) {
        let fetch = options.book
        eventLoop.makeFutureWithTask { try? await fetch?(path) }.assumeIsolated().whenSuccess { [weak self] body in
            self?.update { $0.bookFetched(number, body, now: $1) }
        }
    }

    package func fetchToken(wasRejected: Bool) {
        let token = options.token
        fetch {
            try await token?(wasRejected)
        } apply: { result, session, now in
            switch result {
            case .success(let token?): session.setToken(token, now: now)
            case .success(nil):
                session.tokenFailed(FeedTokenError(isRefusal: true, "There are no credentials."), now: now)
            case .failure(let error): session.tokenFailed(error as? FeedTokenError, now: now)
            }
        }
    }
}

extension FeedSession: SocketMachine {}
