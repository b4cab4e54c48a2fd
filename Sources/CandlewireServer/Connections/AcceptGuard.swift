import Foundation
import Logging
import NIOCore

/// Stands at the listener: what to do when no connection can be accepted, because descriptors or memory are used up.
///
/// NIO leaves the listener readable then, so that its loop would spin (2.101; its own `AcceptBackoffHandler` does not stop it,
/// because the read that failed is still the one that was requested).
final class AcceptGuard: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let tick = TimeAmount.milliseconds(250)

    private let gate: ConnectionGate
    private let logger: Logger
    private var backoff: AcceptBackoff
    private var reserve: DescriptorReserve
    private var context: ChannelHandlerContext?

    init(gate: ConnectionGate, logger: Logger, reserve: Int = 16) {
        self.gate = gate
        self.logger = logger
        backoff = AcceptBackoff(reserve: reserve)
        self.reserve = DescriptorReserve(reserve)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        reserve.release()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let (isSpare, actions) = backoff.accepted()
        if isSpare {
            let channel = Self.unwrapInboundIn(data)
            gate.markSpare(channel)
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            channel.closeFuture.hop(to: context.eventLoop).whenComplete { _ in
                bound.value.perform(bound.value.backoff.spareClosed())
            }
        }
        perform(actions)
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        gate.change { $0.outOfDescriptors += 1 }
        perform(backoff.failed(now: .now()))
    }

    private func perform(_ actions: [AcceptBackoff.Action]) {
        guard let context else { return }
        for action in actions {
            switch action {
            case .releaseReserve: reserve.release()
            case .refillReserve: perform(backoff.refilled(reserve.refill()))
            case .pause: try? context.channel.syncOptions?.setOption(.autoRead, value: false)
            case .resume: try? context.channel.syncOptions?.setOption(.autoRead, value: true)
            case .schedule:
                let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
                context.eventLoop.scheduleTask(in: Self.tick) {
                    bound.value.perform(bound.value.backoff.tick(now: .now()))
                }
            case .reportExhausted:
                logger.warning(
                    "no file descriptor is left for connections: new ones get answers about health alone until there are more; ulimit -n sets how many there are",
                    metadata: ["connections": "\(gate.counts.openHTTP + gate.counts.openWebSockets)"])
            case .reportRecovered: logger.notice("there are file descriptors for connections again")
            }
        }
    }
}
