// Apple's platforms only; type-checked on Linux by Scripts/check-apple. What it passes on is `AudioGraph`, which is tested.
#if canImport(SwiftUI) && canImport(CoreText)
    public import SwiftUI

    #if canImport(Accessibility)
        import Accessibility

        /// A chart's bars for VoiceOver's rotor “Audio Graph”, read when it is opened and not with every tick.
        struct ChartAudioGraph: AXChartDescriptorRepresentable {
            let controller: ChartController

            func makeChartDescriptor() -> AXChartDescriptor {
                let graph = controller.audioGraph()
                let times = AXNumericDataAxisDescriptor(
                    title: "Time", range: graph?.time.range ?? 0...1, gridlinePositions: graph?.time.ticks ?? []
                ) { AudioGraph.text(time: $0) }
                let prices = AXNumericDataAxisDescriptor(
                    title: "Price", range: graph?.price.range ?? 0...1, gridlinePositions: graph?.price.ticks ?? []
                ) { graph?.text(price: $0) ?? "" }
                prices.scaleType = graph?.price.isLogarithmic == true ? .log10 : .linear
                let points = (graph?.points ?? []).map { AXDataPoint(x: $0.time, y: $0.price, label: $0.label) }
                return AXChartDescriptor(
                    title: controller.accessibilityLabel, summary: graph?.summary, xAxis: times, yAxis: prices,
                    series: [AXDataSeriesDescriptor(name: "Close", isContinuous: true, dataPoints: points)])
            }
        }
    #endif

    extension View {
        /// Lets VoiceOver play the chart's bars as an audio graph.
        public func audioGraph(of controller: ChartController) -> some View {
            #if canImport(Accessibility)
                accessibilityChartDescriptor(ChartAudioGraph(controller: controller))
            #else
                self
            #endif
        }

        /// Plays haptics for a chart's price, where the platform has them.
        /// - Parameters:
        ///   - cue: the last one; `nil`: none yet.
        ///   - count: cues so far, so that the same one twice is felt twice.
        public func haptics(_ cue: HapticCue?, count: Int) -> some View {
            sensoryFeedback(trigger: count) { cue?.feedback }
        }
    }

    extension HapticCue {
        /// What the platform plays for it.
        public var feedback: SensoryFeedback {
            switch self {
            case .crossedUp: .impact(weight: .light)
            case .crossedDown: .impact(weight: .heavy)
            case .newHigh: .success
            case .newLow: .warning
            }
        }
    }
#endif
