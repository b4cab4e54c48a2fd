import FinanceChartsKit
import Foundation
import StreamCore
import WebSocketTransport

/// Live data over a WebSocket of one's own protocol: ticks are validated, joined to bars and shown, at most thirty
/// pictures a second. Here the protocol is that of `candlewire serve`; for another one change `message`.
@MainActor
final class TickProvider: ChartDataProvider {
    private let controller: ChartController
    private let updates: ThrottledUpdateManager
    private let url: String
    private var builders = BuilderPool()
    private var validator = TickValidator()
    private var task: Task<Void, Never>?
    private(set) var ticks = 0

    init(controller: ChartController, url: String) {
        self.controller = controller
        self.url = url
        updates = ThrottledUpdateManager(chartController: controller)
        // Another symbol or timeframe is another stream, and other bars.
        controller.onStreamChange = { [weak self] _, _ in self?.restart() }
    }

    func connect() {
        task = Task { [weak self, url] in
            guard let socket = try? await WebSocketConnector.connect(url: url) else { return }
            await self?.subscribe(socket)
            for await event in socket.events {
                guard let self, !Task.isCancelled else { break }
                if case .text(let text) = event { message(text) }
            }
            self?.controller.setConnectionStatus(false)
        }
    }

    func disconnect() {
        task?.cancel()
        task = nil
    }

    func pauseUpdates() { updates.pauseUpdates() }
    func resumeUpdates() { updates.resumeUpdates() }

    var rejections: RejectionCounts { validator.rejections }

    private func restart() {
        disconnect()
        builders.removeAll()
        connect()
    }

    private func subscribe(_ socket: WebSocketConnection) async {
        controller.setConnectionStatus(true)
        let subscription = [
            "action": "subscribe", "symbol": controller.symbol, "timeframe": controller.timeframe.rawValue,
        ]
        guard let data = try? JSONEncoder().encode(subscription) else { return }
        try? await socket.send(text: String(decoding: data, as: UTF8.self))
    }

    private struct Message: Decodable {
        var type: String
        var symbol: String?
        var candles: [Candle]?
    }

    private func message(_ text: String) {
        let data = Data(text.utf8)
        guard let message = try? JSONDecoder().decode(Message.self, from: data), message.symbol == controller.symbol
        else { return }
        switch message.type {
        case "snapshot":
            controller.setData(message.candles ?? [])
            // The builder goes on from the bar that is under way, instead of beginning it anew.
            guard let last = controller.lastCandle else { return }
            builders.seed(
                symbol: controller.symbol, timeframe: controller.timeframe, with: last, now: last.timestamp)
        case "tick":
            guard let tick = try? JSONDecoder().decode(Tick.self, from: data) else { return }
            ingest(tick)
        default: break
        }
    }

    private func ingest(_ tick: Tick) {
        let now = Date().timeIntervalSince1970
        guard validator.check(tick, now: now) == nil else { return }
        ticks += 1
        updates.queueUpdate(
            builders.ingest(tick, symbol: controller.symbol, timeframe: controller.timeframe, now: now))
    }
}
