/// The size of a chart: CSS pixels (points) and how many device pixels one of them has.
public struct ChartSize: Sendable, Equatable {
    /// Width in CSS pixels, 0 where it was not a number or negative.
    public let width: Double
    /// Height in CSS pixels.
    public let height: Double
    /// Device pixels per CSS pixel, 0.5 to 8.
    public let devicePixelRatio: Double

    /// - Parameters:
    ///   - devicePixelRatio: 1 where it is not a number or not above zero. It is lowered where the picture would have
    ///     more than 32,768 device pixels on a side.
    public init(width: Double, height: Double, devicePixelRatio: Double) {
        self.width = width > 0 ? min(width, Pixels.largest) : 0
        self.height = height > 0 ? min(height, Pixels.largest) : 0
        let wished = devicePixelRatio > 0 ? min(max(devicePixelRatio, 0.5), 8) : 1
        let longest = max(self.width, self.height)
        self.devicePixelRatio = longest * wished > Pixels.largest ? Pixels.largest / longest : wished
    }

    /// Nothing can be drawn.
    public var isEmpty: Bool {
        width * devicePixelRatio < 1 || height * devicePixelRatio < 1
    }
}
