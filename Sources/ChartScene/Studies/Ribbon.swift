/// The area between two lines as polygons, one for each stretch in which the same line is above.
enum Ribbon {
    /// - Parameters:
    ///   - above: its colour where the first line is not below the second one.
    ///   - below: where it is.
    static func draw(
        _ first: [LineTrace.Point], _ second: [LineTrace.Point], _ scale: PriceScale, above: Colour, below: Colour,
        into list: inout DisplayList
    ) {
        var start = 0
        while start < first.count {
            guard isThere(first, second, start) else {
                start += 1
                continue
            }
            let isAbove = first[start].last >= second[start].last
            var end = start + 1
            while end < first.count, isThere(first, second, end), (first[end].last >= second[end].last) == isAbove {
                end += 1
            }
            polygon(first, second, start, end, scale, isAbove ? above : below, into: &list)
            start = end
        }
    }

    private static func isThere(_ first: [LineTrace.Point], _ second: [LineTrace.Point], _ index: Int) -> Bool {
        first[index].last == first[index].last && second[index].last == second[index].last
    }

    /// Along the first line from `start` to before `end` and back along the second one, out to where the lines cross.
    private static func polygon(
        _ first: [LineTrace.Point], _ second: [LineTrace.Point], _ start: Int, _ end: Int, _ scale: PriceScale,
        _ colour: Colour, into list: inout DisplayList
    ) {
        list.beginPolygon(colour)
        crossing(first, second, start, scale, into: &list)
        for index in start..<end {
            list.point(x: first[index].x, y: Pixels.near(scale.y(first[index].last)))
        }
        crossing(first, second, end, scale, into: &list)
        var index = end - 1
        while index >= start {
            list.point(x: second[index].x, y: Pixels.near(scale.y(second[index].last)))
            index -= 1
        }
        list.end()
    }

    /// The point between `index - 1` and `index` in which the lines meet, where both have values there.
    private static func crossing(
        _ first: [LineTrace.Point], _ second: [LineTrace.Point], _ index: Int, _ scale: PriceScale,
        into list: inout DisplayList
    ) {
        guard index > 0, index < first.count, isThere(first, second, index - 1), isThere(first, second, index) else {
            return
        }
        let a = Pixels.near(scale.y(first[index - 1].last))
        let b = Pixels.near(scale.y(first[index].last))
        let gap = a - Pixels.near(scale.y(second[index - 1].last))
        let next = b - Pixels.near(scale.y(second[index].last))
        guard gap != next else { return }
        let part = min(max(gap / (gap - next), 0), 1)
        let x = first[index - 1].x + (first[index].x - first[index - 1].x) * part
        list.point(x: x, y: a + (b - a) * part)
    }
}
