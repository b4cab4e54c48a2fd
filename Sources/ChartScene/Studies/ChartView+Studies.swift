public import MarketModel

/// Studies on the chart.
extension ChartView {
    /// The most studies that a chart has, and the most panes.
    public static let maxStudies = 64
    public static let maxPanes = 16

    /// Adds a study.
    /// - Parameter pane: where it is drawn; without one, over the price if its values are prices, otherwise in a new pane
    ///   below the others. A study whose values are no prices never comes over the price, a number beyond the panes is a
    ///   new one.
    /// - Returns: its id; `nil` where there are too many.
    /// - Complexity: O(bars); afterwards O(1) a bar.
    @discardableResult public mutating func addStudy(_ settings: StudySettings, inPane pane: Int? = nil) -> Int? {
        guard studies.count < Self.maxStudies else { return nil }
        let isPrice = settings.kind.placement == .price
        var place = pane ?? (isPrice ? 0 : panes.count)
        if place < 0 || (place == 0 && !isPrice) { place = panes.count }
        guard place < panes.count || panes.count < Self.maxPanes else { return nil }
        if place >= panes.count {
            place = panes.count
            panes.append(Pane(share: Pane.furtherShare))
        }
        lastStudyId += 1
        var study = ChartStudy(id: lastStudyId, settings, pane: place, slot: freeSlot(inPane: place))
        study.rebuild(series)
        studies.append(study)
        updateLayout()
        return lastStudyId
    }

    /// Removes a study, and its pane with it where it was the last in it.
    public mutating func removeStudy(_ id: Int) {
        guard let index = studyIndex(id) else { return }
        studies.remove(at: index)
        removeEmptyPanes()
        updateLayout()
    }

    /// Other parameters of the same kind; colours and pane stay. Settings of another kind are ignored.
    /// - Complexity: O(bars)
    public mutating func setStudy(_ id: Int, _ settings: StudySettings) {
        guard let index = studyIndex(id), studies[index].settings.kind == settings.kind else { return }
        studies[index].set(settings)
        studies[index].rebuild(series)
        mark(.everything)
    }

    /// - Parameter colour: `nil` is the theme's.
    public mutating func setColour(ofStudy id: Int, output: Int, _ colour: Colour?) {
        guard let index = studyIndex(id), studies[index].colours.indices.contains(output) else { return }
        studies[index].colours[output] = colour
        mark(.everything)
    }

    /// The colour that an output is drawn in.
    public func colour(ofStudy id: Int, output: Int) -> Colour? {
        guard let index = studyIndex(id), studies[index].colours.indices.contains(output) else { return nil }
        return studies[index].colour(output, theme)
    }

    /// A hidden study stays in the legend.
    public mutating func setVisible(ofStudy id: Int, _ isVisible: Bool) {
        guard let index = studyIndex(id) else { return }
        studies[index].isVisible = isVisible
        mark(.everything)
    }

    /// Puts a study into another pane; a number beyond the panes is a new one. The pane it leaves goes away where it was
    /// the last in it.
    public mutating func moveStudy(_ id: Int, toPane pane: Int) {
        guard let index = studyIndex(id), pane >= 0 else { return }
        guard pane > 0 || studies[index].settings.kind.placement == .price else { return }
        if pane >= panes.count {
            guard panes.count < Self.maxPanes else { return }
            panes.append(Pane(share: Pane.furtherShare))
        }
        let place = min(pane, panes.count - 1)
        guard place != studies[index].pane else { return }
        studies[index].slot = freeSlot(inPane: place)
        studies[index].pane = place
        removeEmptyPanes()
        updateLayout()
    }

    /// Puts a pane below the price at another place among them.
    public mutating func movePane(_ pane: Int, to place: Int) {
        guard pane > 0, pane < panes.count, place > 0, place < panes.count, pane != place else { return }
        panes.insert(panes.remove(at: pane), at: place)
        for index in studies.indices {
            let at = studies[index].pane
            if at == pane {
                studies[index].pane = place
            } else if pane < at, at <= place {
                studies[index].pane -= 1
            } else if place <= at, at < pane {
                studies[index].pane += 1
            }
        }
        updateLayout()
    }

    /// The study of an id.
    public func study(_ id: Int) -> ChartStudy? { studyIndex(id).map { studies[$0] } }
    private func studyIndex(_ id: Int) -> Int? { studies.firstIndex { $0.id == id } }

    /// The first colour of the palette that nothing in the pane begins with.
    func freeSlot(inPane pane: Int) -> Int {
        var slot = 0
        while studies.contains(where: { $0.pane == pane && $0.slot == slot })
            || (pane == 0 && comparisons.contains { $0.slot == slot })
        {
            slot += 1
        }
        return slot
    }

    /// Panes below the price with nothing in them go.
    mutating func removeEmptyPanes() {
        var pane = panes.count - 1
        while pane > 0 {
            if !panes[pane].hasVolume, !studies.contains(where: { $0.pane == pane }) {
                panes.remove(at: pane)
                for index in studies.indices where studies[index].pane > pane { studies[index].pane -= 1 }
            }
            pane -= 1
        }
    }

    /// The bars changed: so do the values of the studies.
    mutating func updateStudies(_ change: BarsChange) {
        for index in studies.indices {
            switch change {
            case .all, .prepended: studies[index].rebuild(series)
            case .corrected(let bar): studies[index].update(series, from: bar)
            case .from(let first, let dropped):
                if dropped > 0 { studies[index].columns.dropFirst(dropped) }
                studies[index].update(series, from: first)
            }
        }
    }
}
