import Testing

@testable import FinanceChartsKit

@MainActor
private final class Listener: ChartPerformanceDelegate {
    var frames: [Double] = []
    var bytes: [Int] = []
    func chartDidDropFrame(_ frameTime: Double) { frames.append(frameTime) }
    func chartMemoryUsage(_ bytes: Int) { self.bytes.append(bytes) }
}

@Suite("What drawing a chart costs, and its picture")
@MainActor
struct SnapshotTests {
    @Test(
        "a frame above 16.67 ms is reported as dropped, one below is not",
        arguments: [(0.016, 0), (0.0167, 1), (0.5, 1)])
    func dropped(duration: Double, expected: Int) {
        var time = 0.0
        var isStart = false
        let controller = ChartController {
            isStart.toggle()
            if !isStart { time += duration }
            return time
        }
        let listener = Listener()
        controller.setPerformanceDelegate(listener)
        controller.setData(walk(100))
        _ = controller.displayList()
        #expect(listener.frames.count == expected)
        if let frame = listener.frames.first { #expect(abs(frame - duration) < 1e-9) }
    }

    @Test("memory is reported in bytes when it changed, and grows with the bars")
    func memory() {
        let controller = ChartController()
        let listener = Listener()
        controller.setPerformanceDelegate(listener)
        controller.setData(walk(100))
        _ = controller.displayList()
        controller.setData(walk(1000))
        _ = controller.displayList()
        #expect(listener.bytes.count == 2)
        #expect(listener.bytes[1] - listener.bytes[0] >= 900 * 48)
        #expect(listener.bytes[1] == controller.memoryUsage)
        #expect(listener.bytes[1] < 15_000_000, "15 MB in all")
    }

    @Test("a delegate is not kept alive")
    func weak() {
        let controller = ChartController()
        do {
            let listener = Listener()
            controller.setPerformanceDelegate(listener)
        }
        #expect(controller.performanceDelegate == nil)
    }

    @Test("a snapshot is an image of the chart's size, and nil without one")
    func snapshot() throws {
        let controller = ChartController()
        controller.resize(width: 300, height: 200, devicePixelRatio: 2)
        controller.setData(walk(100))
        let snapshot = try #require(controller.snapshot())
        #expect(snapshot.pixelWidth == 600 && snapshot.pixelHeight == 400)
        #expect(snapshot.list == controller.displayList())
        #if canImport(CCairo)
            let png = try snapshot.encoded()
            #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            // Width and height of the header, big-endian.
            #expect(Array(png[16..<24]) == [0, 0, 2, 88, 0, 0, 1, 144])
        #endif
        controller.resize(width: 0, height: 200, devicePixelRatio: 2)
        #expect(controller.snapshot() == nil)
    }
}
