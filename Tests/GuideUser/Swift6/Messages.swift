import FinanceChartsKit
import Foundation

/// What all messages have in common.
private struct MessageHead: Decodable {
    let type: String
    let symbol: String?
    let timeframe: String?
}

private struct SnapshotMessage: Decodable {
    let candles: [Candle]
}

extension WebSocketProvider {
    func handleMessage(_ text: String) { handleBinaryMessage(Data(text.utf8)) }

    func handleBinaryMessage(_ data: Data) {
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(MessageHead.self, from: data) else {
            log("no message: \(data.count) bytes")
            return
        }
        do {
            switch head.type {
            case "tick" where isShown(head):
                handleTick(try decoder.decode(Tick.self, from: data))
            case "candle" where isShown(head):
                chartController.updateLast(try decoder.decode(Candle.self, from: data))
            case "snapshot" where isShown(head):
                replaceBars(try decoder.decode(SnapshotMessage.self, from: data).candles)
            case "tick", "candle", "snapshot":
                break
            default:
                log("unknown message type: \(head.type)")
            }
        } catch {
            log("incomplete \(head.type) dropped")
        }
    }

    /// Messages of the timeframe before may still be under way after a change.
    private func isShown(_ head: MessageHead) -> Bool {
        head.symbol == chartController.symbol
            && (head.timeframe ?? chartController.timeframe.rawValue) == chartController.timeframe.rawValue
    }

    private func replaceBars(_ candles: [Candle]) {
        chartController.setData(candles)
        seedBuilder()
        if history != nil { Task { await loadHistory() } }
    }
}
