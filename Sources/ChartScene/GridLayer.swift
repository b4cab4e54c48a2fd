/// The background and the lines of the axes' ticks.
enum GridLayer {
    static func draw(_ scene: Scene, _ scratch: Scratch, _ ticks: PriceTicks, into list: inout DisplayList) {
        let layout = scene.layout
        list.fillRect(scene.theme.background, x: 0, y: 0, width: layout.width, height: layout.height)
        list.beginRects(scene.theme.grid)
        for index in 0..<ticks.count where ticks[index] > 0 {
            let y = Pixels.floor(scene.price.y(ticks[index]))
            if y >= 0, y < layout.plotHeight {
                list.rect(x: 0, y: y, width: layout.plotWidth, height: layout.hairline)
            }
        }
        for tick in scratch.timeTicks.ticks {
            let x = Pixels.floor(scene.time.x(tick.index))
            if x >= 0, x < layout.plotWidth {
                list.rect(x: x, y: 0, width: layout.hairline, height: layout.plotHeight)
            }
        }
        list.end()
    }
}
