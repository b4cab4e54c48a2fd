/// The background and the lines of the axes' ticks.
enum GridLayer {
    static func draw(_ scene: Scene, _ scratch: Scratch, into list: inout DisplayList) {
        let layout = scene.layout
        list.fillRect(scene.theme.background, x: 0, y: 0, width: layout.width, height: layout.height)
        list.beginRects(scene.theme.grid)
        for pane in 0..<layout.panes.count {
            for tick in scene.frame.ticks[pane].ys {
                let y = Pixels.floor(tick)
                if layout.panes[pane].contains(y) {
                    list.rect(x: 0, y: y, width: layout.plotWidth, height: layout.hairline)
                }
            }
        }
        for tick in scratch.timeTicks.ticks {
            let x = Pixels.floor(scene.time.x(place: tick.place))
            if x >= 0, x < layout.plotWidth {
                list.rect(x: x, y: 0, width: layout.hairline, height: layout.plotHeight)
            }
        }
        list.end()
    }
}
