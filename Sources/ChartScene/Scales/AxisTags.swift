/// The tags on the axis of the price pane. None overlaps another: that of the newest price stays at its price, the others
/// make room for it and for each other. A price out of view has its tag at the nearer end, with an arrow.
///
/// The storage is kept from frame to frame.
struct AxisTags {
    struct Tag {
        /// The pixel of the price.
        var y: Double
        let value: Double
        let format: AxisFormat
        let fill: Colour
        let ink: Colour
        /// What is around the fill; `nil` is the fill itself.
        let border: Colour?
        /// Top of the tag.
        var top = 0.0
        /// 1 where the price is below the view, -1 above it, 0 in it.
        var direction = 0.0
        /// Where it stands for several prices out of view, how many; otherwise 0.
        var count = 0
    }

    /// From the top to the bottom.
    private(set) var tags: [Tag] = []
    /// The tag that stays where it is.
    private var pinned: Int?

    /// Further tags are left out.
    private static let maxCount = 64
    /// Tags at an end for prices beyond it.
    private static let maxBeyond = 3

    mutating func removeAll() {
        tags.removeAll(keepingCapacity: true)
        pinned = nil
    }

    /// - Parameter isPinned: for the first tag: it stays where it is.
    mutating func add(_ tag: Tag, isPinned: Bool = false) {
        guard tags.count < Self.maxCount, tag.y.isFinite else { return }
        var place = tags.count
        while place > 0, tags[place - 1].y > tag.y { place -= 1 }
        tags.insert(tag, at: place)
        if isPinned { pinned = place } else if let at = pinned, place <= at { pinned = at + 1 }
    }

    /// Finds a place for each tag between `top` and `bottom`.
    /// - Parameter height: of a tag, with the gap to the next one.
    mutating func place(top: Double, bottom: Double, height: Double) {
        for index in tags.indices {
            tags[index].direction = tags[index].y < top ? -1 : tags[index].y >= bottom ? 1 : 0
        }
        // A pinned price out of view has its end for itself.
        if let at = pinned, tags[at].direction != 0 { movePinned(to: tags[at].direction < 0 ? 0 : tags.count - 1) }
        join(-1)
        join(1)
        spread(top, bottom, height)
    }

    /// Of many prices beyond an end the nearest have tags of their own; one stands for the others.
    private mutating func join(_ direction: Double) {
        var beyond = 0
        for index in tags.indices where index != pinned && tags[index].direction == direction { beyond += 1 }
        let others = beyond - Self.maxBeyond + 1
        guard others > 1 else { return }
        // The others are at the very end, or beside the pinned tag there.
        let first = direction < 0 ? (pinned == 0 ? 1 : 0) : tags.count - others - (pinned == tags.count - 1 ? 1 : 0)
        for _ in 1..<others { tags.remove(at: direction < 0 ? first : first + 1) }
        tags[first].count = others
        if let at = pinned, at > first { pinned = at - others + 1 }
    }

    private mutating func spread(_ top: Double, _ bottom: Double, _ height: Double) {
        guard bottom - top >= height else { return tags.removeAll(keepingCapacity: true) }
        let most = integer(((bottom - top) / height).rounded(.down), in: 1...Self.maxCount)
        guard let at = pinned else {
            while tags.count > most { tags.removeLast() }
            return place(0..<tags.count, top, bottom - height, height)
        }
        let middle = max(top, min(Pixels.snap(tags[at].y - height / 2), bottom - height))
        let above = integer(((middle - top) / height).rounded(.down), in: 0...Self.maxCount)
        let below = integer(((bottom - middle) / height).rounded(.down), in: 1...Self.maxCount) - 1
        while tags.count > above + below + 1 { dropEnd() }
        // What has no room on one side of the pinned tag goes to the other.
        let pinned = min(max(self.pinned ?? 0, tags.count - 1 - below), above)
        movePinned(to: pinned)
        tags[pinned].top = middle
        place(0..<pinned, top, middle - height, height)
        place(pinned + 1..<tags.count, middle + height, bottom - height, height)
    }

    /// Puts neighbours below each other, each as near to its price as there is room.
    private mutating func place(_ range: Range<Int>, _ highest: Double, _ lowest: Double, _ height: Double) {
        var edge = highest
        for index in range {
            tags[index].top = max(Pixels.snap(tags[index].y - height / 2), edge)
            edge = tags[index].top + height
        }
        edge = lowest
        for index in range.reversed() {
            tags[index].top = min(tags[index].top, edge)
            edge = tags[index].top - height
        }
    }

    private mutating func dropEnd() {
        if let at = pinned, at == tags.count - 1 {
            tags.removeFirst()
            pinned = at - 1
        } else {
            tags.removeLast()
        }
    }

    private mutating func movePinned(to place: Int) {
        guard let at = pinned else { return }
        tags.insert(tags.remove(at: at), at: place)
        pinned = place
    }
}
