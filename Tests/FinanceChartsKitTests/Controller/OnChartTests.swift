import FinanceChartsKit
import Testing

@Suite("What an app and its user put on a controller's chart")
@MainActor
struct OnChartTests {
    private func controller() -> ChartController {
        let controller = ChartController()
        controller.symbol = "BTC-USD"
        controller.setData(walk(200))
        return controller
    }

    @Test("price lines, markers, orders and feed marks are drawn, and gone when removed")
    func objects() throws {
        let controller = controller()
        let last = try #require(controller.lastCandle)
        let empty = controller.displayList()
        controller.set(PriceLine(id: 1, price: last.close, label: "entry".utf8))
        let withLine = controller.displayList()
        controller.set(try #require(ChartMarker(id: 1, time: last.timestamp, kind: .buy)))
        let withMarker = controller.displayList()
        controller.set(OrderLine(id: 1, kind: .stopLoss, isBuy: false, price: last.close - 1))
        let withOrder = controller.displayList()
        controller.add(try #require(FeedMark(from: last.timestamp - 300, to: last.timestamp, .gap)))
        let withMark = controller.displayList()
        #expect(Set([empty, withLine, withMarker, withOrder, withMark].map(\.words)).count == 5)
        controller.removePriceLine(1)
        controller.removeMarker(1)
        controller.removeOrder(1)
        controller.removeAllFeedMarks()
        #expect(controller.objects.isEmpty && controller.displayList() == empty)
    }

    @Test("an alert fires once when the newest price crosses it, from whichever call that comes, and can be rearmed")
    func alerts() throws {
        let controller = ChartController()
        controller.setData([.at(0, 100)])
        var fired: [Double] = []
        var said: [String] = []
        controller.onAlert = { fired.append($0.price) }
        controller.onAnnouncement = { said.append($0.text) }
        controller.set(PriceAlert(id: 1, price: 105, direction: .up))
        controller.updateLast(.at(60, 101))
        controller.updateLast(.at(60, 106))
        controller.updateLast(.at(60, 104))
        controller.updateLast(.at(60, 107))
        #expect(fired == [105] && said == ["Alert: the price reached 105.00."])
        controller.rearmAlert(1)
        controller.append(.at(120, 104))
        controller.apply([.at(180, 110)])
        #expect(fired == [105, 105])
        controller.updateLast(.at(60, 1))
        #expect(fired.count == 2, "a correction of an older bar is not the newest price")
        controller.removeAlert(1)
        #expect(controller.objects.alerts.isEmpty)
    }

    @Test("dragging an order proposes a price, which is accepted or goes back")
    func orders() throws {
        let controller = controller()
        controller.priceScale.range = 50...150
        controller.set(OrderLine(id: 7, kind: .order, isBuy: true, price: 100))
        var proposals: [(Int, Double)] = []
        controller.onOrderDrag = { proposals.append(($0, $1)) }
        let y = try #require(stride(from: 0.0, to: 450, by: 1).first { controller.pressObject(x: 100, y: $0) })
        controller.moveObject(x: 100, y: y - 40)
        controller.releaseObject()
        let (id, price) = try #require(proposals.first)
        #expect(id == 7 && price > 100 && proposals.count == 1)
        #expect(controller.objects.orders[0].price == 100, "nothing but proposed")
        controller.revertOrder(7)
        #expect(controller.objects.orders[0].shown == 100)
        #expect(!controller.pressObject(x: 100, y: 5))
        controller.releaseObject()
        #expect(proposals.count == 1)
    }

    @Test("drawings are added, selected, undone and redone")
    func drawings() throws {
        let controller = controller()
        let last = try #require(controller.lastCandle)
        let empty = controller.displayList()
        let level = try #require(Drawing(.horizontalLine, [DrawingAnchor(time: last.timestamp, price: last.close)]))
        let id = try #require(controller.addDrawing(level))
        #expect(controller.selectedDrawing == id && controller.displayList() != empty)
        #expect(controller.undoDrawing() && controller.drawings.isEmpty)
        #expect(controller.canRedoDrawing && controller.redoDrawing() && controller.drawings.count == 1)
        controller.drawingTool = .trendLine
        #expect(controller.pressDrawing(x: 100, y: 100))
        controller.releaseDrawing(x: 100, y: 100)
        controller.moveDrawing(x: 300, y: 200)
        #expect(controller.pressDrawing(x: 300, y: 200))
        controller.releaseDrawing(x: 300, y: 200)
        #expect(controller.drawings.map(\.kind) == [.horizontalLine, .trendLine])
        #expect(controller.removeDrawing(id))
        controller.removeAllDrawings()
        #expect(controller.drawings.isEmpty && controller.canUndoDrawing)
    }

    @Test("each symbol has its own drawings; the magnet and the style are the user's")
    func perSymbol() throws {
        let controller = controller()
        let level = try #require(Drawing(.horizontalLine, [DrawingAnchor(time: 1_700_000_040, price: 100)]))
        controller.addDrawing(level)
        controller.drawingMagnet = .strong
        controller.symbol = "ETH-USD"
        #expect(controller.drawings.isEmpty && controller.drawingMagnet == .strong)
        controller.setData(walk(50))
        #expect(controller.drawings.isEmpty)
        controller.symbol = "BTC-USD"
        #expect(controller.drawings.map(\.kind) == [.horizontalLine])
        controller.timeframe = .h1
        #expect(controller.drawings.count == 1, "another timeframe keeps them")
    }

    @Test("drawings go out and come in as a document; a wrong one says where and changes nothing")
    func documents() throws {
        let controller = controller()
        let level = try #require(Drawing(.horizontalLine, [DrawingAnchor(time: 1_700_000_040, price: 100)]))
        controller.addDrawing(level)
        let document = controller.drawingDocument
        controller.removeAllDrawings()
        try controller.loadDrawings(document)
        #expect(controller.drawingDocument == document && controller.drawings.count == 1)
        do {
            try controller.loadDrawings(#"{"format":"candlewire-drawings","version":2}"#.utf8)
            Issue.record("version 2 was read")
        } catch {
            #expect(error.field == "drawings" && error.description.contains("only version 1 can be read here"))
        }
        #expect(controller.drawingDocument == document)
    }
}
