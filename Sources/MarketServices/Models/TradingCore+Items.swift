public import TradingCore

extension Order: ServiceItem {
    public var revision: Int { version }
    public var isSettled: Bool { status.isDone }
}

extension Fill: ServiceItem {}

extension ServiceEvent: ServiceItem {}
