import FinanceChartsKit
import StreamCore
import WebSocketTransport

/// Live data of a candlewire server, with everything done for you: the client reconnects with backoff, subscribes again
/// and recovers what was missed. One connection serves any number of charts.
@MainActor
final class LiveProvider: ChartDataProvider {
    private let controller: ChartController
    private let client: StreamClient
    private var stream: StreamSubscription?
    private var tasks: [Task<Void, Never>] = []

    init(controller: ChartController, client: StreamClient) {
        self.controller = controller
        self.client = client
        controller.onStreamChange = { [weak self] _, _ in self?.subscribe() }
        subscribe()
        tasks.append(
            Task { [weak controller, states = client.states] in
                for await state in states { controller?.setConnectionStatus(state == .open) }
            })
    }

    private func subscribe() {
        stream?.cancel()
        let stream = client.subscribe(controller.symbol, controller.timeframe, history: 500, maxRate: 30)
        self.stream = stream
        tasks.append(
            Task { [weak controller] in
                for await event in stream.events {
                    guard let controller else { return }
                    switch event {
                    case .snapshot(let candles, _): controller.setData(candles)
                    case .candle(let bar): controller.updateLast(bar.candle)
                    case .subscribed, .tick, .skipped, .gap, .stale, .fresh, .refused: break
                    }
                }
            })
    }

    /// The server stops sending while the chart is hidden; on return one snapshot brings the chart up to date.
    func pauseUpdates() { stream?.pause() }
    func resumeUpdates() { stream?.resume() }

    func disconnect() {
        stream?.cancel()
        for task in tasks { task.cancel() }
    }
}
