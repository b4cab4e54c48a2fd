/// The area between two lines as polygons, one for each stretch in which the same line is above.
struct Ribbon {
    let first: [LineTrace.Point]
    let second: [LineTrace.Point]
    let scale: PriceScale

    /// - Parameters:
    ///   - above: its colour where the first line is not below the second one.
    ///   - below: where it is.
    func draw(above: Colour, below: Colour, into list: inout DisplayList) {
        var start = 0
        while start < first.count {
            guard isThere(start) else {
                start += 1
                continue
            }
            let isAbove = first[start].last >= second[start].last
            var end = start + 1
            while end < first.count, isThere(end), (first[end].last >= second[end].last) == isAbove { end += 1 }
            polygon(start, end, isAbove ? above : below, into: &list)
            start = end
        }
    }

    private func isThere(_ index: Int) -> Bool {
        first[index].last == first[index].last && second[index].last == second[index].last
    }

    private func y(_ point: LineTrace.Point) -> Double { Pixels.near(scale.y(point.last)) }

    /// Along the first line from `start` to before `end` and back along the second one, out to where the lines cross.
    private func polygon(_ start: Int, _ end: Int, _ colour: Colour, into list: inout DisplayList) {
        list.beginPolygon(colour)
        crossing(start, into: &list)
        for index in start..<end { list.point(x: first[index].x, y: y(first[index])) }
        crossing(end, into: &list)
        for index in (start..<end).reversed() { list.point(x: second[index].x, y: y(second[index])) }
        list.end()
    }

    /// The point between `index - 1` and `index` in which the lines meet, where both have values there.
    private func crossing(_ index: Int, into list: inout DisplayList) {
        guard index > 0, index < first.count, isThere(index - 1), isThere(index) else { return }
        let a = y(first[index - 1])
        let b = y(first[index])
        let gap = a - y(second[index - 1])
        let next = b - y(second[index])
        guard gap != next else { return }
        let part = min(max(gap / (gap - next), 0), 1)
        let x = first[index - 1].x + (first[index].x - first[index - 1].x) * part
        list.point(x: x, y: a + (b - a) * part)
    }
}
