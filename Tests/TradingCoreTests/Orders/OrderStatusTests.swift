import Testing
import TradingCore

/// The whole machine, written out a second time as a table.
@Suite("Order states")
struct OrderStatusTests {
    static let all: [OrderStatus] = [
        .new, .partiallyFilled, .filled, .cancelled, .rejected, .expired, .unknown("frozen"),
    ]

    /// Rows: states. Columns: accept reject amend trigger trail fillPart fillAll cancel expire. A dash is "cannot happen".
    static let table: [(OrderStatus, String)] = [
        (.new, "- rejected new new new partially_filled filled cancelled expired"),
        (.partiallyFilled, "- - partially_filled - - partially_filled filled cancelled expired"),
        (.filled, "- - - - - - - - -"),
        (.cancelled, "- - - - - - - - -"),
        (.rejected, "- - - - - - - - -"),
        (.expired, "- - - - - - - - -"),
        (.unknown("frozen"), "- - - - - - - - -"),
    ]

    @Test("each state with each event goes where the table says")
    func transitions() {
        #expect(Self.table.map(\.0) == Self.all)
        for (status, row) in Self.table {
            let ends = row.split(separator: " ")
            #expect(ends.count == OrderStep.allCases.count)
            for (step, end) in zip(OrderStep.allCases, ends) {
                #expect(status.after(step)?.rawValue ?? "-" == end, "\(status) by \(step)")
            }
        }
        for step in OrderStep.allCases {
            let expected: OrderStatus? = step == .accept ? .new : step == .reject ? .rejected : nil
            #expect(OrderStatus.first(step) == expected)
        }
    }

    @Test("an order never goes back: no way leads from a later state to an earlier one")
    func forwardOnly() {
        func rank(_ status: OrderStatus) -> Int { status == .new ? 0 : status == .partiallyFilled ? 1 : 2 }
        for status in Self.all {
            for step in OrderStep.allCases {
                if let next = status.after(step) { #expect(rank(next) >= rank(status)) }
            }
            #expect(status.isActive || OrderStep.allCases.allSatisfy { status.after($0) == nil })
            #expect(!(status.isActive && status.isDone))
        }
    }

    @Test("a word we do not know stays itself, on the way in and out")
    func unknownWords() {
        #expect(OrderStatus(rawValue: "pending_cancel") == .unknown("pending_cancel"))
        #expect(OrderStatus(rawValue: "pending_cancel").rawValue == "pending_cancel")
        #expect(OrderType(rawValue: "iceberg").rawValue == "iceberg")
        #expect(Side(rawValue: "hold").opposite == nil)
        #expect(TimeInForce(rawValue: "gtd") == .unknown("gtd"))
        for word in ["new", "partially_filled", "filled", "cancelled", "rejected", "expired"] {
            #expect(OrderStatus(rawValue: word).rawValue == word)
            if case .unknown = OrderStatus(rawValue: word) { Issue.record("\(word) is known") }
        }
        for word in ["market", "limit", "stop", "stop_limit", "trailing_stop"] {
            if case .unknown = OrderType(rawValue: word) { Issue.record("\(word) is known") }
        }
    }
}
