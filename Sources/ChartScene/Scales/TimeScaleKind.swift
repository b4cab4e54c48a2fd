/// How time is spread over the width.
public enum TimeScaleKind: UInt8, CaseIterable, Sendable {
    // Raw values are the boundary's numbers: append only.
    /// One bar beside the other: where nothing was traded takes no room.
    case bars
    /// Each bar where its time is: nights, weekends and holes of the data are as wide as they were long.
    case time
}
