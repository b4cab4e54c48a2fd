internal import Foundation
public import MarketServices
public import Observation

/// What happened, newest first, by day.
@MainActor
@Observable
public final class EventsModel {
    public struct Day: Sendable, Hashable, Identifiable {
        public let title: String
        public let events: [ServiceEvent]
        public var id: String { title }
    }

    public private(set) var events = ServiceList<ServiceEvent>()
    public private(set) var state = ListState.loading
    /// Shows only events of this type; `nil`: all.
    public var type: ServiceEventType?
    /// Rises with each signal or risk that is reported while the model runs.
    public private(set) var alertCount = 0

    private let service: any EventServiceProtocol
    private let formats: Formats

    public init(_ service: any EventServiceProtocol, formats: Formats = Formats()) {
        self.service = service
        self.formats = formats
    }

    /// Follows the events until the task is cancelled.
    public func run() async {
        await fetch()
        for await update in service.eventStream {
            if case .changed(let event) = update, event.type == .risk || event.type == .signal,
                events[event.id] == nil
            {
                alertCount += 1
            }
            events.apply(update)
            state = .ready
        }
    }

    /// Fetches the newest events, again after a failure.
    public func fetch() async {
        do throws(ServiceError) {
            for event in try await service.fetchEvents().reversed() { events.place(event) }
            state = .ready
        } catch {
            if error.kind != .closed, events.items.isEmpty { state = .failed(error.message) }
        }
    }

    public var days: [Day] {
        var days: [(title: String, events: [ServiceEvent])] = []
        for event in events.items where type == nil || event.type == type {
            let title = formats.day(event.timestamp)
            if days.last?.title == title {
                days[days.count - 1].events.append(event)
            } else {
                days.append((title, [event]))
            }
        }
        return days.map(Day.init)
    }

    public func time(_ event: ServiceEvent) -> String { formats.time(event.timestamp) }

    /// Why nothing is shown; `nil` where something is, or the list still loads.
    public var emptyReason: String? {
        guard state == .ready, days.isEmpty else { return nil }
        return type == nil ? localized("Nothing has happened yet.") : localized("No events of this type.")
    }
}

extension ServiceEventType {
    public var words: String {
        switch self {
        case .signal: localized("Signal")
        case .orderPlaced: localized("Order placed")
        case .orderFilled: localized("Order filled")
        case .orderCancelled: localized("Order cancelled")
        case .positionOpened: localized("Position opened")
        case .positionClosed: localized("Position closed")
        case .risk: localized("Risk")
        case .system: localized("System")
        case .unknown(let word): word
        }
    }

    /// The name of a symbol of Apple's.
    public var symbolName: String {
        switch self {
        case .signal: "waveform.path.ecg"
        case .orderPlaced: "tray.and.arrow.down"
        case .orderFilled: "checkmark.circle"
        case .orderCancelled: "xmark.circle"
        case .positionOpened: "arrow.up.forward.circle"
        case .positionClosed: "arrow.down.backward.circle"
        case .risk: "exclamationmark.triangle"
        case .system, .unknown: "info.circle"
        }
    }
}
