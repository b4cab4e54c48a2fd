/// One of the value columns of a study.
public struct StudyOutput: Sendable {
    /// How its values are drawn.
    public enum Form: UInt8, Sendable {
        case line
        /// Columns from zero.
        case histogram
        /// A dot a bar, unconnected.
        case dots
        /// A line that bounds a band; the next output that is a band edge bounds the other side.
        case bandEdge
        /// Like a band edge, and the area between the two is coloured by which is above.
        case cloudEdge
    }

    /// "Signal"
    public let name: StaticString
    public let form: Form
    /// The direction in which the values are drawn away from their bars: 1 to the right (into the future), -1 to the
    /// left, 0 not at all. How far is in the settings, see `StudySettings.shift(ofOutput:)`.
    public let shiftDirection: Int

    init(_ name: StaticString, _ form: Form = .line, shiftDirection: Int = 0) {
        self.name = name
        self.form = form
        self.shiftDirection = shiftDirection
    }
}
