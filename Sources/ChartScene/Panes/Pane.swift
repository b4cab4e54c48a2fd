/// One of the chart's panes, from top to bottom: the first has the price, further ones have studies or volume. Its
/// place on screen is a `PaneFrame`.
public struct Pane: Sendable, Equatable {
    /// How high the pane is beside the others: height is shared out in these proportions. The price pane has 1.
    public internal(set) var share: Double
    /// The settings of the pane's own scale.
    public internal(set) var scale = PriceScaleSettings()
    /// The volume pane.
    public internal(set) var hasVolume = false

    init(share: Double = 1, hasVolume: Bool = false) {
        self.share = share
        self.hasVolume = hasVolume
    }

    /// Beside the price alone, a further pane takes 30 % of the height.
    static let furtherShare = 3.0 / 7
    /// CSS pixels that a pane keeps when a divider is dragged.
    public static let leastHeight = 60.0
}

/// Where a pane lies, in whole device pixels.
struct PaneFrame: Equatable {
    let top: Double
    let bottom: Double
    /// The part that values fill; above it is room for the legend.
    let valueTop: Double

    var height: Double { bottom - top }
    func contains(_ y: Double) -> Bool { y >= top && y < bottom }
}

/// Sharing out the plot's height.
enum PaneHeights {
    /// Tops and bottoms of panes in whole pixels, with a divider between each two.
    /// - Parameter least: the least height of a pane, as long as all of them have room for it.
    static func frames(_ panes: [Pane], height: Double, divider: Double, least: Double, _ legend: (Int) -> Double)
        -> [PaneFrame]
    {
        let room = max(0, height - divider * Double(panes.count - 1))
        let heights = share(room, among: panes, least: min(least, room / Double(max(panes.count, 1))))
        var frames: [PaneFrame] = []
        frames.reserveCapacity(panes.count)
        var top = 0.0
        for index in 0..<panes.count {
            let isLast = index == panes.count - 1
            // The last pane takes what rounding left over.
            let bottom = isLast ? height : min(Pixels.snap(top + heights[index]), height)
            frames.append(PaneFrame(top: top, bottom: bottom, valueTop: min(top + legend(index), bottom)))
            top = min(bottom + divider, height)
        }
        return frames
    }

    private static func share(_ room: Double, among panes: [Pane], least: Double) -> [Double] {
        var heights = panes.map { _ in -1.0 }
        // A pane that would be too low gets the least height; the others share the rest, until none is.
        for _ in 0...panes.count {
            var left = room
            var shares = 0.0
            for index in 0..<panes.count {
                if heights[index] >= 0 { left -= heights[index] } else { shares += panes[index].share }
            }
            var tooLow = false
            for index in 0..<panes.count where heights[index] < 0 && left * panes[index].share / shares < least {
                heights[index] = least
                tooLow = true
            }
            guard !tooLow else { continue }
            for index in 0..<panes.count where heights[index] < 0 {
                heights[index] = left * panes[index].share / shares
            }
            break
        }
        return heights.map { max($0, 0) }
    }
}
