import HTTPTypes
import HistoryStore
import Hummingbird
import StreamCore
import TradingCore

extension TradingRoutes {
    func addPositions(to router: Router<Context>) {
        on(.get, "v1/positions", router) { [gateway] request in
            let id = try request.account()
            let (positions, sequence) = try await gateway.run(changes: false) { desk throws(APIError) in
                let account = try desk.account(id)
                return (account.exchange.positions(), account.sequence)
            }
            return JSONResponse.make { sink in
                TradingDocument.head(id, sequence, into: &sink)
                sink.list("positions", positions) { PositionDocument.write($0, into: &$1) }
                sink.json("}")
            }
        }
        on(.post, "v1/positions/:symbol/close", router) { [gateway, registry] request in
            let symbol = try request.pathSymbol(registry)
            let body = try await request.body(allowed: ["quantity", "client_order_id"])
            let account = try request.account(body)
            let (quantity, clientOrderID) = (try body.decimal("quantity"), try body.text("client_order_id"))
            let order = try await gateway.run(changes: true) { desk throws(APIError) in
                try desk.close(symbol, account, quantity: quantity, clientOrderID: clientOrderID)
            }
            return JSONResponse.make(status: .created) { OrderDocument.write(order, into: &$0) }
        }
        on(.post, "v1/positions/:symbol/reverse", router) { [gateway, registry] request in
            let symbol = try request.pathSymbol(registry)
            let body = try await request.body(allowed: ["client_order_id"])
            let account = try request.account(body)
            let clientOrderID = try body.text("client_order_id")
            let order = try await gateway.run(changes: true) { desk throws(APIError) in
                try desk.reverse(symbol, account, clientOrderID: clientOrderID)
            }
            return JSONResponse.make(status: .created) { OrderDocument.write(order, into: &$0) }
        }
        on(.post, "v1/positions/:symbol/bracket", router) { [gateway, registry] request in
            let symbol = try request.pathSymbol(registry)
            let body = try await request.body(allowed: ["take_profit", "stop_loss"])
            let account = try request.account(body)
            guard body.has("take_profit") || body.has("stop_loss") else {
                throw APIError.missing("take_profit", "a price, or null to remove it; or \"stop_loss\"")
            }
            let bracket = TradingDesk.Bracket(
                namesTakeProfit: body.has("take_profit"), namesStopLoss: body.has("stop_loss"),
                takeProfit: try body.decimal("take_profit"), stopLoss: try body.decimal("stop_loss"))
            let position = try await gateway.run(changes: true) { desk throws(APIError) in
                try desk.bracket(symbol, account, bracket)
            }
            return JSONResponse.make { PositionDocument.write(position, into: &$0) }
        }
        on(.get, "v1/portfolio", router) { [gateway] request in
            let id = try request.account()
            let account = try await gateway.run(changes: false) { desk throws(APIError) in try desk.account(id).summary
            }
            return JSONResponse.make { sink in
                TradingDocument.head(id, account.sequence, into: &sink)
                sink.list("portfolios", account.portfolios) { PositionDocument.write($0, into: &$1) }
                sink.json("}")
            }
        }
    }
}
