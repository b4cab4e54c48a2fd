import ChartScene
import MarketModel

/// Tells times by the clocks of an IANA zone. Answers 1, or 0 for a zone that is not in the table, which changes nothing.
@_expose(wasm, "cw_chart_set_zone")
@_cdecl("cw_chart_set_zone")
public func cw_chart_set_zone(_ handle: Int32, _ utf8: UnsafePointer<UInt8>?, _ length: Int32) -> Int32 {
    let name = text(utf8, length)
    guard let chart = chart(handle), let zone = TimeZoneRules(utf8: name) else { return 0 }
    chart.view.setTimeZone(zone)
    return 1
}

/// Seconds that the chart's clock is ahead of UTC at a time; of bars of a day and longer it is 0.
@_expose(wasm, "cw_chart_zone_offset")
@_cdecl("cw_chart_zone_offset")
public func cw_chart_zone_offset(_ handle: Int32, _ time: Double) -> Double {
    chart(handle)?.view.clockOffset(at: time) ?? 0
}

/// The names of all zones, a line feed after each; `cw_zone_names_length` says how many bytes. Valid for good.
@_expose(wasm, "cw_zone_names")
@_cdecl("cw_zone_names")
public func cw_zone_names() -> UnsafePointer<UInt8>? {
    UnsafePointer(zoneNames.baseAddress)
}

@_expose(wasm, "cw_zone_names_length")
@_cdecl("cw_zone_names_length")
public func cw_zone_names_length() -> Int32 {
    Int32(zoneNames.count)
}

nonisolated(unsafe) private let zoneNames: UnsafeMutableBufferPointer<UInt8> = {
    var bytes: [UInt8] = []
    for name in TimeZoneRules.identifiers {
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(0x0A)
    }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.update(fromContentsOf: bytes)
    return copy
}()
