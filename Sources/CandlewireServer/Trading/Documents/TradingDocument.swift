import StreamCore
import TradingCore

/// The answers of the trading routes: what is asked for, and whose it is.
enum TradingDocument {
    /// `"account":…,"mode":"paper","sequence":…` behind the opening brace.
    static func head(_ account: AccountID<Paper>, _ sequence: Int, into sink: inout some ByteSink) {
        sink.json("{\"account\":")
        sink.string(account.description)
        sink.field("mode", Paper.name)
        sink.field("sequence", sequence)
    }

    static func account(_ account: AccountSummary, into sink: inout some ByteSink) {
        sink.json("{\"id\":")
        sink.string(account.id.description)
        sink.field("name", account.id.name)
        sink.field("mode", Paper.name)
        sink.field("sequence", account.sequence)
        sink.field("created_at", account.createdAt)
        sink.list("portfolios", account.portfolios) { PositionDocument.write($0, into: &$1) }
        sink.json("}")
    }

    static func preview(_ preview: OrderPreview, into sink: inout some ByteSink) {
        sink.json("{\"currency\":")
        sink.string(preview.currency)
        sink.field("cost", preview.cost)
        sink.field("margin", preview.margin)
        sink.field("fee", preview.fee)
        sink.field("estimated_price", preview.estimatedPrice)
        sink.field("liquidation_price", preview.liquidationPrice)
        sink.field("available_after", preview.availableAfter)
        sink.list("problems", preview.problems) { problem, sink in
            sink.json("{\"message\":")
            sink.string(problem.message)
            sink.field("field", problem.field)
            sink.json("}")
        }
        sink.json("}")
    }
}
