// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(SwiftUI) && canImport(CoreText)
    import ChartScene
    import Foundation
    public import SwiftUI

    /// A chart on screen.
    ///
    /// ```swift
    /// @State private var controller = ChartController()
    /// var body: some View { PriceChartView(controller: controller) }
    /// ```
    ///
    /// Drag to pan, an order or a drawing to move it; pinch to zoom, point to read, press long for a palette. With keys and a remote: left and right pan, faster while held, up and
    /// down choose the timeframe, space or play/pause shows and hides the crosshair. A screen reader gets the price
    /// as the chart's value and goes from bar to bar with its adjust gesture.
    public struct PriceChartView: View {
        private let controller: ChartController
        @Environment(\.displayScale) private var displayScale
        @Environment(\.dynamicTypeSize) private var dynamicTypeSize
        @State private var dragged = 0.0
        @State private var hand = Hand.none
        @State private var magnified = 1.0
        @State private var acceleration = PanAcceleration()
        @FocusState private var isFocused: Bool

        /// What a drag moves.
        private enum Hand { case none, chart, object, drawing }

        public init(controller: ChartController) { self.controller = controller }

        public var body: some View {
            GeometryReader { geometry in
                interactive(canvas(controller.displayList()), width: geometry.size.width)
                    .onChange(of: geometry.size, initial: true) { _, size in resize(size) }
                    .onChange(of: displayScale) { resize(geometry.size) }
                    .onChange(of: dynamicTypeSize, initial: true) { controller.setFontScale(fontScale) }
            }
            .focusable()
            .focused($isFocused)
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(controller.accessibilityLabel)
            .accessibilityValue(controller.accessibilityValue)
            .accessibilityAddTraits(.updatesFrequently)
            .accessibilityAdjustableAction { direction in
                controller.moveCrosshair(byBars: direction == .increment ? 1 : -1)
            }
            .contextMenu {
                ForEach(ChartPaletteAction.allCases) { action in
                    Button(action.title) { controller.perform(action) }
                }
            }
            .accessibilityActions {
                ForEach(ChartPaletteAction.allCases) { action in
                    Button(action.title) { controller.perform(action) }
                }
            }
            .accessibilityAction(named: "Newest bar") {
                controller.setCrosshair(x: nil)
                controller.resetZoomAndPan()
            }
            .audioGraph(of: controller)
        }

        private func canvas(_ list: DisplayList) -> some View {
            Canvas(opaque: true) { context, _ in
                context.withCGContext { target in
                    target.scaleBy(x: 1 / displayScale, y: 1 / displayScale)
                    CoreGraphicsPainter(target).paint(list)
                }
            }
        }

        private func resize(_ size: CGSize) {
            controller.resize(width: size.width, height: size.height, devicePixelRatio: displayScale)
        }

        /// Text grows as the system's body text does.
        private var fontScale: Double {
            switch dynamicTypeSize {
            case .xSmall: 0.82
            case .small: 0.88
            case .medium: 0.94
            case .large: 1
            case .xLarge: 1.12
            case .xxLarge: 1.24
            case .xxxLarge: 1.35
            case .accessibility1: 1.65
            case .accessibility2: 1.94
            case .accessibility3: 2.35
            case .accessibility4: 2.76
            case .accessibility5: 3
            @unknown default: 1
            }
        }

        #if os(tvOS)
            private func interactive(_ canvas: some View, width: Double) -> some View {
                keys(canvas, width: width)
                    .onPlayPauseCommand { toggleCrosshair(width: width) }
                    .onExitCommand { controller.setCrosshair(x: nil) }
            }
        #else
            private func interactive(_ canvas: some View, width: Double) -> some View {
                keys(canvas, width: width)
                    .gesture(
                        DragGesture(minimumDistance: 2)
                            .onChanged { drag in move(drag) }
                            .onEnded { drag in release(drag) }
                    )
                    .simultaneousGesture(
                        MagnifyGesture()
                            .onChanged { pinch in
                                controller.zoom(by: pinch.magnification / magnified, atX: pinch.startLocation.x)
                                magnified = pinch.magnification
                            }
                            .onEnded { _ in magnified = 1 }
                    )
                    .onTapGesture(count: 2) { controller.resetZoomAndPan() }
                    .onTapGesture { place in controller.setCrosshair(x: place.x, y: place.y) }
                    .onContinuousHover { phase in
                        switch phase {
                        case .active(let place): controller.setCrosshair(x: place.x, y: place.y)
                        case .ended: controller.setCrosshair(x: nil)
                        }
                    }
            }
        #endif

        #if !os(tvOS)
            private func move(_ drag: DragGesture.Value) {
                let (start, place) = (drag.startLocation, drag.location)
                if hand == .none {
                    hand =
                        controller.pressObject(x: start.x, y: start.y, tolerance: 18)
                        ? .object
                        : controller.pressDrawing(x: start.x, y: start.y, tolerance: 18) ? .drawing : .chart
                }
                switch hand {
                case .object: controller.moveObject(x: place.x, y: place.y)
                case .drawing: controller.moveDrawing(x: place.x, y: place.y)
                case .none, .chart:
                    controller.pan(byPixels: drag.translation.width - dragged)
                    dragged = drag.translation.width
                }
            }

            private func release(_ drag: DragGesture.Value) {
                switch hand {
                case .object: controller.releaseObject()
                case .drawing: controller.releaseDrawing(x: drag.location.x, y: drag.location.y)
                case .none, .chart:
                    // The rest of the way that the finger's speed would have gone.
                    controller.pan(byPixels: drag.predictedEndTranslation.width - drag.translation.width)
                }
                dragged = 0
                hand = .none
            }
        #endif

        private func keys(_ canvas: some View, width: Double) -> some View {
            #if os(macOS) || os(tvOS)
                canvas.onMoveCommand { direction in
                    switch direction {
                    case .left: controller.pan(byBars: -acceleration.bars(towards: -1, now: now))
                    case .right: controller.pan(byBars: acceleration.bars(towards: 1, now: now))
                    case .up: controller.cycleTimeframeUp()
                    case .down: controller.cycleTimeframeDown()
                    @unknown default: break
                    }
                }
            #else
                canvas
                    .onKeyPress(.leftArrow) { step(-1) }
                    .onKeyPress(.rightArrow) { step(1) }
                    .onKeyPress(.space) {
                        toggleCrosshair(width: width)
                        return .handled
                    }
            #endif
        }

        #if !os(macOS) && !os(tvOS)
            private func step(_ direction: Int) -> KeyPress.Result {
                controller.pan(byBars: direction * acceleration.bars(towards: direction, now: now))
                return .handled
            }
        #endif

        private func toggleCrosshair(width: Double) {
            controller.setCrosshair(x: controller.hasCrosshair ? nil : width / 2)
        }

        private var now: Double { ProcessInfo.processInfo.systemUptime }
    }
#endif
