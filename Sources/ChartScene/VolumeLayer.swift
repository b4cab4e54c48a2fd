internal import MarketModel

/// Traded volume as bars on the plot's bottom edge, behind the candles; the largest one on screen has a fifth of the
/// plot's height.
enum VolumeLayer {
    static func draw(_ scene: Scene, _ scratch: Scratch, into list: inout DisplayList) {
        guard scene.volumeTop > 0 else { return }
        if let candle = scene.candle {
            batch(scene, candle, up: true, colour: scene.theme.upVolume, into: &list)
            batch(scene, candle, up: false, colour: scene.theme.downVolume, into: &list)
        } else {
            columns(scene, scratch.columns, up: true, colour: scene.theme.upVolume, into: &list)
            columns(scene, scratch.columns, up: false, colour: scene.theme.downVolume, into: &list)
        }
    }

    private static func batch(
        _ scene: Scene, _ candle: CandleGeometry, up: Bool, colour: Colour, into list: inout DisplayList
    ) {
        let time = scene.time
        let overhang = candle.overhang
        list.beginRects(colour)
        scene.series.withColumns { bars in
            for index in scene.visible where (bars.closes[index] >= bars.opens[index]) == up {
                let height = self.height(bars.volumes[index], scene)
                guard height > 0 else { continue }
                let left = candle.wickLeft(time.x(index)) - overhang
                list.rect(x: left, y: scene.layout.plotHeight - height, width: candle.body, height: height)
            }
        }
        list.end()
    }

    private static func columns(
        _ scene: Scene, _ columns: [PixelColumn], up: Bool, colour: Colour, into list: inout DisplayList
    ) {
        list.beginRects(colour)
        for column in columns where column.isUp == up {
            let height = self.height(column.volume, scene)
            guard height > 0 else { continue }
            list.rect(x: column.x, y: scene.layout.plotHeight - height, width: 1, height: height)
        }
        list.end()
    }

    /// A traded bar has at least one pixel.
    @inline(__always)
    private static func height(_ volume: Double, _ scene: Scene) -> Double {
        volume > 0 ? max(1, Pixels.snap(volume / scene.volumeTop * scene.layout.volumeHeight)) : 0
    }
}
