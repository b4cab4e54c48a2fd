import FinanceChartsKit

/// The calls of what others put on a chart, with the arguments of the WebAssembly exports.
extension ScenePlayer {
    /// - Returns: whether it was one of them.
    mutating func playObject(_ call: SceneCall) throws -> Bool {
        switch call.call {
        case "line_set":
            guard let dash = DrawingStyle.Dash(rawValue: try call.byte(4)) else { return true }
            let style = try DrawingStyle(colour: call.colour(2), width: call.number(3), dash: dash)
            try chart.objects.set(
                PriceLine(id: call.integer(0), price: call.number(1), style: style, label: call.text(5).utf8))
        case "line_remove": chart.objects.removeLine(try call.integer(0))
        case "alert_set":
            guard let direction = PriceAlert.Direction(rawValue: try call.byte(2)) else { return true }
            try chart.objects.set(PriceAlert(id: call.integer(0), price: call.number(1), direction: direction))
        case "alert_remove": chart.objects.removeAlert(try call.integer(0))
        case "alert_rearm": chart.objects.rearmAlert(try call.integer(0))
        case "alert_update":
            let last = try call.number(0)
            if !chart.objects.alerts.isEmpty { _ = chart.updateAlerts(last: last) }
        case "marker_set":
            guard let kind = ChartMarker.Kind(rawValue: try call.byte(2)) else { return true }
            let marker = try ChartMarker(
                id: call.integer(0), time: call.number(1), kind: kind, text: call.text(4).utf8, colour: call.colour(3))
            if let marker { chart.objects.set(marker) }
        case "marker_remove": chart.objects.removeMarker(try call.integer(0))
        case "feed_mark":
            guard let state = FeedMark.State(rawValue: try call.byte(2)) else { return true }
            let mark = try FeedMark(from: call.number(0), to: call.number(1), state, reason: call.text(3).utf8)
            if let mark { chart.objects.add(mark) }
        case "feed_clear": chart.objects.removeAllFeedMarks()
        case "objects_clear": chart.objects = ChartObjects()
        default: return try playOrder(call)
        }
        return true
    }

    private mutating func playOrder(_ call: SceneCall) throws -> Bool {
        switch call.call {
        case "order_set":
            guard let kind = OrderLine.Kind(rawValue: try call.byte(1)) else { return true }
            try chart.objects.set(
                OrderLine(
                    id: call.integer(0), kind: kind, isBuy: call.flag(2), price: call.number(3),
                    label: call.text(5).utf8, isDraggable: call.flag(4)))
        case "order_remove": chart.objects.removeOrder(try call.integer(0))
        case "order_accept": chart.objects.acceptOrder(try call.integer(0))
        case "order_revert": chart.objects.revertOrder(try call.integer(0))
        case "order_press": _ = try chart.pressObject(x: call.number(0), y: call.number(1), tolerance: call.number(2))
        case "order_drag": try chart.moveObject(x: call.number(0), y: call.number(1))
        case "order_release": _ = chart.releaseObject()
        default: return false
        }
        return true
    }
}

extension SceneCall {
    /// A colour as 0xRRGGBBAA; `nil` where the number is none.
    func colour(_ index: Int) throws -> Colour? {
        UInt32(exactly: try number(index)).map { Colour(rgba: $0) }
    }
}
