public import MarketModel

extension ChartView {
    /// Tells times on the axis and at the crosshair by the clocks of a zone. Bars stay what they are: their buckets are
    /// those of UTC, and so a bar of a day or longer keeps its own date, whatever the zone; the corner of the axes says
    /// which clock it is.
    public mutating func setTimeZone(_ zone: TimeZoneRules) {
        timeZone = zone
        updateClock()
    }

    /// Seconds that the chart's clock is ahead of UTC at a time, for who writes times beside the chart; 0 with bars of a
    /// day and longer.
    public func clockOffset(at time: Double) -> Double {
        clock.zone.offset(at: time)
    }

    /// The clock that fits the timeframe.
    mutating func updateClock() {
        mark(.everything)
        clock = ZoneClock(timeframe.seconds < 86_400 ? timeZone : .utc)
    }
}
