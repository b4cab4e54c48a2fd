/// What others put on a chart: price lines, alerts, markers, orders, the state of the feed. A value beside the drawings;
/// unlike them it is not undone, for it says what is.
///
/// Objects are named by their owner's numbers; the same number again replaces the object.
public struct ChartObjects: Sendable, Equatable {
    /// The most of each kind; further ones are refused, of markers and feed marks the oldest go.
    public static let capacity = 2000

    public private(set) var lines: [PriceLine] = []
    public private(set) var alerts: [PriceAlert] = []
    /// By time.
    public private(set) var markers: [ChartMarker] = []
    public private(set) var orders: [OrderLine] = []
    /// By start.
    public private(set) var feed: [FeedMark] = []
    /// The order that a pointer drags.
    var dragged: Int?

    public init() {}

    public mutating func set(_ line: PriceLine) { Self.put(line, into: &lines) }
    public mutating func removeLine(_ id: Int) { lines.removeAll { $0.id == id } }

    public mutating func set(_ alert: PriceAlert) { Self.put(alert, into: &alerts) }
    public mutating func removeAlert(_ id: Int) { alerts.removeAll { $0.id == id } }

    public mutating func rearmAlert(_ id: Int) {
        if let index = alerts.firstIndex(where: { $0.id == id }) { alerts[index].rearm() }
    }

    /// The last price is now this one.
    /// - Returns: the numbers of the alerts that fire, each once.
    public mutating func updateAlerts(last: Double) -> [Int] {
        var fired: [Int] = []
        for index in 0..<alerts.count where alerts[index].update(last: last) { fired.append(alerts[index].id) }
        return fired
    }

    /// - Complexity: O(markers)
    public mutating func set(_ marker: ChartMarker) {
        removeMarker(marker.id)
        Self.insert(marker, into: &markers) { $0.time }
    }

    public mutating func removeMarker(_ id: Int) { markers.removeAll { $0.id == id } }

    public mutating func set(_ order: OrderLine) { Self.put(order, into: &orders) }

    public mutating func removeOrder(_ id: Int) {
        orders.removeAll { $0.id == id }
        if dragged == id { dragged = nil }
    }

    /// The proposed price is the order's price now.
    public mutating func acceptOrder(_ id: Int) {
        guard let index = orderIndex(id), let price = orders[index].proposed else { return }
        orders[index].price = price
        orders[index].proposed = nil
    }

    /// The order goes back to its price.
    public mutating func revertOrder(_ id: Int) {
        guard let index = orderIndex(id) else { return }
        orders[index].proposed = nil
        if dragged == id { dragged = nil }
    }

    private func orderIndex(_ id: Int) -> Int? { orders.firstIndex { $0.id == id } }

    mutating func propose(_ id: Int, _ price: Double) {
        guard let index = orderIndex(id) else { return }
        orders[index].proposed = price == orders[index].price ? nil : price
    }

    /// - Complexity: O(marks)
    public mutating func add(_ mark: FeedMark) { Self.insert(mark, into: &feed) { $0.start } }

    /// All of one kind, or of every kind.
    public mutating func removeAllMarkers() { markers.removeAll() }
    public mutating func removeAllFeedMarks() { feed.removeAll() }

    // MARK: The ways into a list

    /// In the place of the one with the same number, or at the end.
    private static func put<Object: PricedObject>(_ object: Object, into list: inout [Object]) {
        guard object.price.magnitude <= 1e15 else { return }
        if let index = list.firstIndex(where: { $0.id == object.id }) {
            list[index] = object
        } else if list.count < capacity {
            list.append(object)
        }
    }

    /// By time, behind those of the same time.
    private static func insert<Object>(_ object: Object, into list: inout [Object], time: (Object) -> Double) {
        if list.count == capacity { list.removeFirst() }
        var place = list.count
        while place > 0 && time(list[place - 1]) > time(object) { place -= 1 }
        list.insert(object, at: place)
    }

    public var isEmpty: Bool {
        lines.isEmpty && alerts.isEmpty && markers.isEmpty && orders.isEmpty && feed.isEmpty
    }
}

/// What stands at a price under a number.
private protocol PricedObject {
    var id: Int { get }
    var price: Double { get }
}

extension PriceLine: PricedObject {}
extension PriceAlert: PricedObject {}
extension OrderLine: PricedObject {}
