internal import Foundation
internal import Synchronization
internal import TradingCore

/// What the live services know, and the channels they publish it to: fed by the stream and by the answers to requests, which may cross
/// each other.
final class LiveState<Mode: TradingMode>: Sendable {
    private struct State {
        var orders: ServiceList<Order<Mode>>
        var fills: ServiceList<Fill<Mode>>
        var events: ServiceList<ServiceEvent>
        var feed: String?
        var ledger: String?
    }

    let channels = ServiceChannels<Mode>()

    private let state: Mutex<State>

    init(kept: Int) {
        state = Mutex(
            State(
                orders: ServiceList(limit: kept), fills: ServiceList(limit: kept), events: ServiceList(limit: kept)))
    }

    /// The server's own state, as it last reported it.
    var server: (feed: String?, ledger: String?) { state.withLock { ($0.feed, $0.ledger) } }

    // Everything is sent under the lock: two that send at the same time must not overtake each other.

    /// A message of a channel.
    /// - Throws: a decoding error, and then nothing has changed.
    func apply(_ bytes: some Sequence<UInt8>) throws {
        let message = try JSONDecoder().decode(ChannelDocument<Mode>.self, from: Data(bytes))
        state.withLock { state in
            if let orders = message.orders {
                state.orders.apply(.snapshot(orders, missed: 0))
                channels.orders.send(all: state.orders.items)
            }
            if let fills = message.fills {
                state.fills.apply(.snapshot(fills, missed: 0))
                channels.fills.send(all: state.fills.items)
            }
            if let events = message.events {
                state.events.apply(.snapshot(events, missed: 0))
                channels.events.send(all: state.events.items)
            }
            if let order = message.order { place(order, &state) }
            if let fill = message.fill, state.fills.place(fill) { channels.fills.send(fill, all: state.fills.items) }
            if let event = message.event, state.events.place(event) {
                channels.events.send(event, all: state.events.items)
            }
            if let feed = message.feed { state.feed = feed.state }
            if let ledger = message.ledger { state.ledger = ledger }
            if let positions = message.positions { channels.positions.send(positions) }
            if let portfolios = message.portfolios { channels.portfolio.send(portfolios) }
            if let markets = message.markets { channels.markets.send(markets) }
        }
    }

    /// An order from the answer to a request.
    func apply(_ order: Order<Mode>) {
        state.withLock { place(order, &$0) }
    }

    private func place(_ order: Order<Mode>, _ state: inout State) {
        if state.orders.place(order) { channels.orders.send(order, all: state.orders.items) }
    }
}
