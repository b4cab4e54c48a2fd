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
    var volumePane: Int? {
        for index in 0..<panes.count where panes[index].hasVolume { return index }
        return nil
    }
}
