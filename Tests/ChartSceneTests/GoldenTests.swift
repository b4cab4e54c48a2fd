import ChartScene
import Testing

@Suite("Pictures as recorded")
struct GoldenTests {
    @Test("a scene is drawn as recorded", arguments: GoldenScene.all.map(\.name))
    func golden(name: String) throws {
        let scene = try #require(GoldenScene.all.first { $0.name == name })
        var view = scene.chart()
        var list = DisplayList()
        view.render(into: &list)
        try expectGolden(list.dump(), name)
    }

    @Test("each scene is another picture")
    func different() {
        let dumps = GoldenScene.all.map { scene in
            var view = scene.chart()
            var list = DisplayList()
            view.render(into: &list)
            return list.dump()
        }
        #expect(Set(dumps).count == dumps.count - 1, "candles and the linear scale are the default chart, twice")
    }
}
