internal import MarketModel

/// Traded volume as bars on a pane's bottom edge. In the price pane they stand behind the candles, and the largest one on
/// screen has a fifth of the pane's height; in a pane of their own they fill it.
extension Scene {
    func drawVolume(_ scratch: Scratch, pane: Int, into list: inout DisplayList) {
        guard volumeTop > 0 else { return }
        let place = VolumePlace(self, pane)
        drawVolume(scratch, place, up: true, into: &list)
        drawVolume(scratch, place, up: false, into: &list)
    }

    @_optimize(speed)
    private func drawVolume(_ scratch: Scratch, _ place: VolumePlace, up: Bool, into list: inout DisplayList) {
        let time = time
        list.beginRects(up ? theme.upVolume : theme.downVolume)
        if let candle {
            series.withColumns { bars in
                for index in visible where (bars.closes[index] >= bars.opens[index]) == up {
                    let height = place.height(bars.volumes[index])
                    guard height > 0 else { continue }
                    let left = candle.wickLeft(time.x(index)) - candle.overhang
                    list.rect(x: left, y: place.bottom - height, width: candle.body, height: height)
                }
            }
        } else {
            for column in scratch.columns where column.isUp == up {
                let height = place.height(column.volume)
                if height > 0 { list.rect(x: column.x, y: place.bottom - height, width: 1, height: height) }
            }
        }
        list.end()
    }
}

/// Where bars of volume stand and how high they are.
private struct VolumePlace {
    let bottom: Double
    private let pixelsPerUnit: Double
    /// Of a pane of their own.
    private let scale: PriceScale?

    init(_ scene: borrowing Scene, _ pane: Int) {
        bottom = scene.layout.panes[pane].bottom
        pixelsPerUnit = scene.layout.volumeHeight / scene.volumeTop
        scale = pane == 0 ? nil : scene.frame.scales[pane]
    }

    /// A traded bar has at least one pixel.
    @inline(__always)
    func height(_ volume: Double) -> Double {
        guard volume > 0 else { return 0 }
        if let scale { return max(1, bottom - Pixels.snap(scale.y(volume))) }
        return max(1, Pixels.snap(volume * pixelsPerUnit))
    }
}

/// Where traded volume is shown.
public enum VolumePlacement: UInt8, CaseIterable, Sendable {
    // Raw values are the boundary's numbers: append only.
    case off
    /// On the bottom of the price pane, a fifth of its height.
    case price
    /// In a pane of its own.
    case pane
}

extension ChartView {
    /// Shows volume in the price pane, in a pane of its own below the others, or not at all.
    public mutating func setVolume(_ placement: VolumePlacement) {
        guard placement != volume else { return }
        volume = placement
        if let own = volumePane {
            panes[own].hasVolume = false
            removeEmptyPanes()
        }
        if placement == .pane { panes.append(Pane(share: Pane.furtherShare, hasVolume: true)) }
        updateLayout()
    }

    /// The pane of the volume alone.
    var volumePane: Int? { panes.firstIndex { $0.hasVolume } }
}
