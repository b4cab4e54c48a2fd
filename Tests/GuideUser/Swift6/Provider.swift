import CandlewireSockets
import FinanceChartsKit
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Feeds a chart from a WebSocket.
@MainActor
final class WebSocketProvider: @MainActor WebSocketDelegate {
    let chartController: ChartController
    /// By `{symbol}_{timeframe}`.
    var builders: [String: OHLCBuilder] = [:]
    var history: HistoryLoader?
    var recovery: ConnectionRecovery?
    var log: (String) -> Void = { print($0) }

    /// Seconds until the next attempt, where there is no `recovery`.
    let reconnectDelay: TimeInterval
    private(set) var isConnected = false
    private(set) var isWanted = false
    private(set) var isPaused = false
    private let url: URL
    private var socket: WebSocket?

    init(url: URL, chartController: ChartController, reconnectDelay: TimeInterval = 5) {
        self.url = url
        self.chartController = chartController
        self.reconnectDelay = reconnectDelay
    }

    func connect() {
        isWanted = true
        var request = URLRequest(url: url)
        request.timeoutInterval = 5
        socket = WebSocket(request: request)
        socket?.delegate = self
        socket?.connect()
    }

    func disconnect() {
        isWanted = false
        recovery?.stop()
        socket?.disconnect(closeCode: CloseCode.normal.rawValue)
    }

    func didReceive(event: WebSocketEvent, client: any WebSocketClient) {
        switch event {
        case .connected:
            isConnected = true
            chartController.setConnectionStatus(true)
            recovery?.connected()
            if !isPaused { subscribe() }
        case .disconnected(let reason, let code):
            connectionEnded("closed with \(code) \(reason)", code: code)
        case .text(let text):
            handleMessage(text)
        case .binary(let data):
            handleBinaryMessage(data)
        case .error(let error):
            connectionEnded(error?.localizedDescription ?? "unknown error", code: nil)
        case .cancelled:
            isConnected = false
            chartController.setConnectionStatus(false)
        default:
            break
        }
    }

    private func connectionEnded(_ reason: String, code: UInt16?) {
        isConnected = false
        chartController.setConnectionStatus(false)
        log("disconnected: \(reason)")
        guard isWanted else { return }
        if let recovery {
            recovery.disconnected(code: code)
        } else {
            scheduleReconnect()
        }
    }

    func subscribe() {
        send([
            "action": "subscribe", "symbol": chartController.symbol, "timeframe": chartController.timeframe.rawValue,
        ])
    }

    func unsubscribe() { send(["action": "unsubscribe", "symbol": chartController.symbol]) }

    func changeTimeframe(to timeframe: Timeframe) {
        unsubscribe()
        builders.removeAll()
        chartController.timeframe = timeframe
        subscribe()
    }

    func pauseUpdates() {
        isPaused = true
        unsubscribe()
    }

    func resumeUpdates() {
        isPaused = false
        subscribe()
    }

    private func send(_ message: [String: String]) {
        guard isConnected, let data = try? JSONEncoder().encode(message) else { return }
        socket?.write(string: String(decoding: data, as: UTF8.self))
    }
}
